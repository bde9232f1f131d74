// One call by mpesa-api. What to call is one JSON object on stdin, what it answers one on stdout; a refusal is exit status 1.
// The client takes no port and no path in its host: its request is led there, and its code stays as it was published.
import http from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const require = createRequire(import.meta.url);
const { routes } = require('mpesa-api/lib/routes');
const { Mpesa } = require('mpesa-api');

const { daraja, credentials, method, asked } = JSON.parse(await text(process.stdin));
const { origin, port, pathname } = new URL(daraja);
routes.sandbox = origin;
const request = http.request;
http.request = (options, answered) => request({ ...options, port, path: pathname + options.path }, answered);

const client = new Mpesa(credentials, 'sandbox');
// It seals the password without waiting for that.
while (client.securityCredential === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
try {
  console.log(JSON.stringify(await client[method](asked)));
} catch (refused) {
  console.error(refused.data ? `${refused.statusCode} ${refused.data.errorCode} ${refused.data.errorMessage}` : refused);
  process.exitCode = 1;
}
