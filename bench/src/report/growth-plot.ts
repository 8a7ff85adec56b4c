export interface GrowthLine {
  readonly name: string;
  /** The number of products of the brand and the machine time of one request in milliseconds. */
  readonly points: { readonly size: number; readonly cost: number }[];
}

const width = 720;
const height = 360;
const margin = { left: 70, right: 150, top: 30, bottom: 50 };
const colours = ['#1f77b4', '#2ca02c', '#d62728'];

/**
 * Draws an SVG: products of the brand on a logarithmic axis, cost of a request on a linear one, one line per kind of
 * request.
 */
export function growthPlot(lines: readonly GrowthLine[]): string {
  const points = lines.flatMap((line) => line.points);
  const [least, most] = [
    Math.min(...points.map(({ size }) => size)),
    Math.max(...points.map(({ size }) => size)),
  ];
  const highest = Math.max(...points.map(({ cost }) => cost)) * 1.1;
  const x = (size: number) =>
    margin.left + ((width - margin.left - margin.right) * Math.log(size / least)) / Math.log(most / least);
  const y = (cost: number) =>
    height - margin.bottom - (height - margin.top - margin.bottom) * (cost / highest);
  const text = (at: [number, number], content: string, anchor = 'middle') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}">${content}</text>`;
  const sizes = [...new Set(points.map(({ size }) => size))];
  const costs = [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest);
  const drawn = lines.map(({ name, points: own }, n) => {
    const colour = colours[n % colours.length];
    const path = own.map(({ size, cost }) => `${x(size).toFixed(1)},${y(cost).toFixed(1)}`).join(' ');
    const last = own.at(-1);
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...own.map(
        ({ size, cost }) =>
          `<circle cx="${x(size).toFixed(1)}" cy="${y(cost).toFixed(1)}" r="3" fill="${colour}"/>`,
      ),
      last === undefined ? '' : text([x(last.size) + 8, y(last.cost) + 4], name, 'start'),
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="white"/>
${text([width / 2, 18], 'What one request costs as a catalog grows')}
${costs.map((cost) => `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(cost).toFixed(1)}" y2="${y(cost).toFixed(1)}" stroke="#ddd"/>${text([margin.left - 8, y(cost) + 4], `${cost.toFixed(2)} ms`, 'end')}`).join('\n')}
${sizes.map((size) => text([x(size), height - margin.bottom + 20], size.toLocaleString('en-US'))).join('\n')}
${text([(width - margin.right + margin.left) / 2, height - 10], 'products of the brand')}
${drawn.join('\n')}
</svg>
`;
}
