// The least that `tctl get` could be: one question over root's socket, and its answer.
const asking = require("node:http").request(
  {
    socketPath: process.argv[2],
    method: "POST",
    path: "/svc.v1.ResourceService/GetResource",
    headers: { "content-type": "application/json" },
  },
  (response) => response.pipe(process.stdout),
);
asking.end(JSON.stringify({ kind: "role", name: "editor" }));
