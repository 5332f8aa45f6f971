// As many connections or calls as some clients can make in a while, each looked at: prints a line once every client has a session to
// resume, and at the end how many there were, and of each client the number of its last one. What is another answer than the expected
// one, or was not resumed where it had to be, ends it with a status that is not 0.
const { readFileSync } = require("node:fs");
const { Agent, request } = require("node:https");
const { connect } = require("node:tls");

const { port, clients, path, body, says, way, seconds } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const atOnce = 16;
const expected = new RegExp(says);
const secured = { host: "127.0.0.1", port, minVersion: "TLSv1.3" };
const hosts = clients.map((shown, number) => {
  const options = { ...secured, ...shown };
  return {
    number,
    options,
    made: 0,
    session: undefined,
    agent: new Agent({ ...options, keepAlive: true, maxCachedSessions: 0 }),
  };
});
const ways = {
  "full-handshake": (host) => shake(host, undefined),
  "resumed-handshake": (host) => shake(host, host.session),
  "call-resumed": (host) => call(host, { agent: false, session: host.session }),
  "call-kept": (host) => call(host, { agent: host.agent }),
};

void main();

async function main() {
  for (const host of hosts) host.session = await firstSession(host);
  console.log("begins");
  const until = Date.now() + seconds * 1000;
  // A host has one at a time.
  const one = async (first) => {
    for (let next = first; Date.now() < until; next = next + atOnce < hosts.length ? next + atOnce : first) {
      hosts[next].made += 1;
      await ways[way](hosts[next]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => one(first)));
  for (const { agent } of hosts) agent.destroy();
  const last = hosts.map(({ made }) => made);
  console.log(JSON.stringify({ made: last.reduce((sum, made) => sum + made, 0), last }));
}

/** A server gives its tickets with what it first says. */
function firstSession(host) {
  let given;
  return call(host, { agent: false }, (socket) => socket.on("session", (ticket) => (given = ticket))).then(() => given);
}

function shake({ options }, kept) {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...options, session: kept }, () => {
      if (!socket.authorized) reject(socket.authorizationError);
      else if (socket.isSessionReused() !== (kept !== undefined)) reject(new Error(`resumed: ${socket.isSessionReused()}`));
      socket.end();
    });
    socket.on("error", reject);
    socket.on("close", resolve);
    socket.resume();
  });
}

function call({ options, number, made }, how, onSocket = () => undefined) {
  return new Promise((resolve, reject) => {
    const text = body.replaceAll("HOST", number).replaceAll("COUNTER", made);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const asking = request({ ...options, ...how, method: "POST", path, headers }, (response) => {
      let answer = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (answer += chunk));
      response.on("end", () => {
        if (response.statusCode === 200 && expected.test(answer)) resolve();
        else reject(new Error(`${response.statusCode}: ${answer}`));
      });
      if (how.session !== undefined && !response.socket.isSessionReused()) reject(new Error("the session was not resumed"));
    });
    asking.on("socket", onSocket);
    asking.on("error", reject);
    asking.end(text);
  });
}
