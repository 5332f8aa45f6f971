// The least that this runtime can serve: one fixed answer, whatever is asked.
require("node:http")
  .createServer((request, response) => response.end("v15.4.6\n"))
  .listen(Number(process.argv[2]), "127.0.0.1");
