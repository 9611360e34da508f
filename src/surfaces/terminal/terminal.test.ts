import { expect, test } from "bun:test";

/** Writes what no command should have let through. */
const script = `
  const { thisTerminal } = await import(process.argv[1]);
  const terminal = thisTerminal(process.env, "/");
  for (const write of [terminal.out, terminal.err]) write("a\\u001b]0;t\\u0007b\\u001b[31mc\\u009bd\\u0000e\\tf\\n");
`;

test("[X95] the last gate lets no control character through, whatever a command forgot", async () => {
  const child = Bun.spawn([process.execPath, "-e", script, `${import.meta.dir}/terminal.ts`], { stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([out, err]).toEqual([0, 1].map(() => "a\ufffd]0;t\ufffdb\ufffd[31mc\ufffdd\ufffde\tf\n"));
});

test("[X96] on a terminal with colours only the program's own pass it", async () => {
  let text = "";
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, "-e", script, `${import.meta.dir}/terminal.ts`], {
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
    terminal: { data: (_, bytes) => void (text += Buffer.from(bytes).toString()), exit: () => resolve() },
  });
  await Promise.all([child.exited, closed]);
  expect(text.split("\r\n").slice(0, 2)).toEqual([0, 1].map(() => "a\ufffd]0;t\ufffdb\u001b[31mc\ufffdd\ufffde\tf"));
});
