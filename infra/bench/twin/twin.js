// A function on Node that does what the measured one does: it looks at the token, makes the same calls to DynamoDB, reads
// what comes back, and answers the same. Around it is Lambda's loop.
import { createPublicKey, verify } from "node:crypto";
import http from "node:http";

import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

const COMMANDS = {
  BatchGetItem: BatchGetItemCommand,
  GetItem: GetItemCommand,
  Query: QueryCommand,
  TransactWriteItems: TransactWriteItemsCommand,
  UpdateItem: UpdateItemCommand,
};
const client = new DynamoDBClient({ endpoint: process.env.AWS_ENDPOINT_URL });
const calls = JSON.parse(process.env.CALLS);
const keys = process.env.ACCESS_TOKEN_PUBLIC_KEYS.split(",").map((key) =>
  createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "hex").toString("base64url") }, format: "jwk" }),
);

function caller(headers) {
  const token = headers.authorization?.slice("Bearer ".length);
  if (!token) return undefined;
  const [header, claims, signature] = token.split(".");
  const sound = keys.some((key) => verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url")));
  if (!sound) throw new Error("not one of ours");
  return JSON.parse(Buffer.from(claims, "base64url"));
}

function items({ Item, Items, Responses }) {
  const found = Item ? [Item] : (Items ?? Object.values(Responses ?? {}).flat());
  return found.map((item) => unmarshall(item));
}

async function handle(event) {
  const who = caller(event.headers);
  const found = [];
  for (const group of calls) {
    const answers = await Promise.all(group.map(({ operation, input }) => client.send(new COMMANDS[operation](input))));
    found.push(...answers.flatMap(items));
  }
  console.log(JSON.stringify({ level: "INFO", path: event.rawPath, who: who?.sub, items: found.length }));
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { statusCode: 200, headers, body: JSON.stringify(JSON.parse(process.env.ANSWER)), isBase64Encoded: false };
}

const agent = new http.Agent({ keepAlive: true });
const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");
function ask(method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, host, port, method, path: `/2018-06-01/runtime/${path}` }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => resolve({ headers: response.headers, text }));
    });
    request.on("error", reject).end(body);
  });
}

async function main() {
  for (;;) {
    const { headers, text } = await ask("GET", "invocation/next");
    const id = headers["lambda-runtime-aws-request-id"];
    await ask("POST", `invocation/${id}/response`, JSON.stringify(await handle(JSON.parse(text))));
  }
}
main();
