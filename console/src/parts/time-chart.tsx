import { type CSSProperties, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreferences } from '../app/preferences.ts';
import { ChartBars, type Series } from './chart-bars.tsx';
import { figure, shortFigure } from './messages.ts';
import { useMedia } from './shared-value.ts';
import { useZone, type Zone } from './zone.ts';

interface Props {
  /** The beginnings of the steps, which are equally long, in milliseconds since 1970. */
  readonly times: readonly number[];
  /** The parts of each bar, from the top to the bottom. */
  readonly series: readonly Series[];
  /** The content in words, for who cannot see it. */
  readonly label: string;
  /** Called with the beginning of the bar that was clicked, or entered by keyboard. */
  readonly onOpen: (at: number) => void;
}

const height = 160;
/** A part of a bar that is not nothing is at least this share of the tallest bar. */
const leastShare = 0.02;

/** Bars over time, with their parts stacked. */
export function TimeChart({ times, series, label, onOpen }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  const [area, setArea] = useState<CSSProperties>();
  const open = useRef(onOpen);
  open.current = onOpen;
  const { scheme } = usePreferences();
  const zone = useZone();
  const isNight = useMedia('(prefers-color-scheme: dark)');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again when the scheme changes
  useEffect(() => {
    const node = place.current;
    if (node === null) return;
    const plot = new uPlot(
      optionsFor(node, series, zone),
      [times.map((at) => at / 1000), ...stacked(series)],
      node,
    );
    plot.over.addEventListener('click', () => {
      const at = times[plot.cursor.idx ?? -1];
      if (at !== undefined) open.current(at);
    });
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: node.clientWidth, height });
      const { left, top, width: wide, height: high } = plot.over.style;
      setArea({ left, top, width: wide, height: high });
    });
    observer.observe(node);
    drawn.current = plot;
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, scheme, isNight, zone]);
  /** Shows the figures of a bar in the legend, as below a mouse. */
  function show(index: number): void {
    const plot = drawn.current;
    plot?.setCursor({ left: plot.valToPos((times[index] ?? 0) / 1000, 'x'), top: 0 });
  }
  return (
    <div className="chart">
      <div ref={place} role="img" aria-label={label} />
      <ChartBars {...{ times, series, label, onOpen }} style={area} onFocus={show} />
    </div>
  );
}

function optionsFor(node: HTMLElement, series: readonly Series[], zone: Zone): uPlot.Options {
  const { isLocal } = zone;
  const color = (name: string) => () => resolveColor(node, name);
  const font = `11px ${getComputedStyle(node).fontFamily}`;
  const axis = {
    font,
    stroke: color('--soft'),
    grid: { stroke: color('--rule'), width: 1 },
    ticks: { stroke: color('--rule'), width: 1, size: 4 },
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    width: node.clientWidth,
    height,
    cursor: { y: false, points: { show: false } },
    legend: { live: true },
    tzDate: (seconds) =>
      isLocal ? new Date(seconds * 1000) : uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      // Half a step more on both sides: a bar stands around the beginning of its step.
      x: { range: ({ data: [times] }, min, max) => [min - halfStepOf(times), max + halfStepOf(times)] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        space: 60,
        size: 24,
        labelGap: 0,
        label: zone.name,
        labelFont: font,
        labelSize: 16,
        values: (_, splits) => splits.map((at) => labelOf(at, isLocal)),
      },
      { ...axis, size: 46, values: (_, splits) => splits.map(shortFigure) },
    ],
    series: [
      { value: `{YYYY}-{MM}-{DD} {HH}:{mm} ${zone.name}` },
      ...series.map(({ label, color: name, values }) => ({
        label,
        value: (_: uPlot, __: number, ___: number, at: number | null) =>
          at === null ? '–' : figure(values[at] ?? 0),
        fill: color(name),
        stroke: color(name),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
}

/** Adds to each series those below it. uPlot draws them one over another, so that the rest of each stays visible. */
function stacked(series: readonly Series[]): number[][] {
  const sumFrom = (from: number, at: number) =>
    series.slice(from).reduce((sum, part) => sum + (part.values[at] ?? 0), 0);
  const least = leastShare * Math.max(0, ...(series[0]?.values.map((_, at) => sumFrom(0, at)) ?? []));
  return series.map(({ values }, from) =>
    values.map((_, at) => {
      const sum = sumFrom(from, at);
      return sum === 0 ? 0 : Math.max(sum, least);
    }),
  );
}

function halfStepOf([first = 0, second = first]: ArrayLike<number> & Iterable<number>): number {
  return (second - first) / 2;
}

/** Returns the hour of an instant, or at midnight the day. */
function labelOf(seconds: number, isLocal: boolean): string {
  const shift = isLocal ? new Date(seconds * 1000).getTimezoneOffset() * 60 : 0;
  const text = new Date((seconds - shift) * 1000).toISOString();
  return text.slice(11, 16) === '00:00' ? text.slice(5, 10) : text.slice(11, 16);
}

/** Computes a token's colour in the current scheme: a canvas does not know `light-dark()`. */
function resolveColor(node: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  node.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
