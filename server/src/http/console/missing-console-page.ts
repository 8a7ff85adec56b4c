/** The page instead of a console that was not built: after `npm ci --omit=dev`, for example. */
export const missingConsolePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Brandport console</title>
<h1>The console is not built</h1>
<p>Run this in the directory of Brandport, then reload the page:</p>
<pre>npm ci --include=dev</pre>
<p>Nothing else is affected.</p>
</html>
`;
