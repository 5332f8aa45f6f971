// The least that this runtime can serve over mutual TLS: one fixed answer to who shows a certificate of the authority; and, where a
// store is named, what came in is written down first, in batches, as reports of hosts would be.
const { readFileSync } = require("node:fs");
const { createServer } = require("node:https");

const { port, key, cert, ca, store } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const mostInBatch = 100;
const answer = JSON.stringify({ clusterName: "example" });

const write = store === undefined ? (_body, done) => done() : writerInto(store);

createServer(
  { key, cert, ca, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.2", sessionIdContext: "bare" },
  (request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text) => (body += text));
    request.on("end", () => {
      write(JSON.parse(body), () => {
        response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
        response.end(answer);
      });
    });
  },
).listen(port, "127.0.0.1");

function writerInto(path) {
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE report (host TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID");
  const put = database.prepare("INSERT OR REPLACE INTO report VALUES (?, ?)");
  let waiting = [];
  function commit() {
    const batch = waiting.slice(0, mostInBatch);
    waiting = waiting.slice(mostInBatch);
    database.exec("BEGIN IMMEDIATE");
    for (const { body } of batch) put.run(body.hostname, JSON.stringify(body));
    database.exec("COMMIT");
    for (const { done } of batch) done();
    if (waiting.length > 0) setImmediate(commit);
  }
  return (body, done) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ body, done });
  };
}
