// As many connections or calls as one client can make in a while, each looked at: prints how many there were. What is another answer
// than the expected one, or was not resumed where it had to be, ends it with a status that is not 0.
const { readFileSync } = require("node:fs");
const { Agent, request } = require("node:https");
const { connect } = require("node:tls");

const { port, servername, key, cert, ca, path, body, says, way, seconds } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const atOnce = 16;
const expected = new RegExp(says);
const secured = { host: "127.0.0.1", port, servername, key, cert, ca, minVersion: "TLSv1.3" };
const agent = new Agent({ ...secured, keepAlive: true, maxSockets: atOnce, maxCachedSessions: 0 });
const ways = {
  "full-handshake": () => shake(undefined),
  "resumed-handshake": () => shake(session),
  "call-resumed": () => call({ ...secured, agent: false, session }),
  "call-kept": () => call({ agent }),
};
let session;
let made = 0;

void main();

async function main() {
  session = await firstSession();
  const until = Date.now() + seconds * 1000;
  const one = async () => {
    while (Date.now() < until) {
      await ways[way]();
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  agent.destroy();
  console.log(made);
}

/** A server gives its tickets with what it first says. */
function firstSession() {
  let given;
  return call({ ...secured, agent: false }, (socket) => socket.on("session", (ticket) => (given = ticket))).then(() => given);
}

function shake(kept) {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...secured, session: kept }, () => {
      if (!socket.authorized) reject(socket.authorizationError);
      else if (socket.isSessionReused() !== (kept !== undefined)) reject(new Error(`resumed: ${socket.isSessionReused()}`));
      socket.end();
    });
    socket.on("error", reject);
    socket.on("close", resolve);
    socket.resume();
  });
}

function call(how, onSocket = () => undefined) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const asking = request({ ...secured, ...how, method: "POST", path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200 && expected.test(text)) resolve();
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
      if (how.session !== undefined && !response.socket.isSessionReused()) reject(new Error("the session was not resumed"));
    });
    asking.on("socket", onSocket);
    asking.on("error", reject);
    asking.end(body);
  });
}
