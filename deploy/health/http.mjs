// `node health/http.mjs <url>`: exit 0 when the address answers well. The image has no curl.
const [, , url] = process.argv;
const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
if (!response.ok) console.error(`${url}: ${response.status}`);
process.exit(response.ok ? 0 : 1);
