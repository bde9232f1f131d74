// Writes a .br and a .gz beside each text asset of the build, so that the server only has to send.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = /\.(html|js|css|svg|json|webmanifest|txt|xml|vtt)$/;
const dist = process.argv[2] ?? "dist";

for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (file.includes(".vite") || !TEXT.test(file) || !statSync(file).isFile()) continue;
  const body = readFileSync(file);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  writeFileSync(`${file}.br`, brotliCompressSync(body, { params: quality }));
  writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
}
