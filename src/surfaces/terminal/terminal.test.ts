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

test("[LZ4] what a terminal is and how wide is known without the modules that take long to load", async () => {
  const asked = `
    const { columnsOfOutput, isTty } = await import(process.argv[1]);
    const { isatty } = await import("node:tty");
    const fds = [0, 1, 2, 99];
    require("node:fs").writeSync(2, JSON.stringify([fds.map(isTty), fds.map(isatty), columnsOfOutput() ?? 0, process.stdout.columns ?? 0]) + "\\n");
  `;
  const command = [process.execPath, "-e", asked, `${import.meta.dir}/tty.ts`];
  const piped = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  expect(await piped.stderr.text()).toBe("[[false,false,false,false],[false,false,false,false],0,0]\n");
  let text = "";
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const child = Bun.spawn(command, {
    env: { PATH: process.env["PATH"] ?? "" },
    terminal: { cols: 77, data: (_, bytes) => void (text += Buffer.from(bytes).toString()), exit: () => resolve() },
  });
  await Promise.all([child.exited, closed]);
  expect(text.trim()).toBe("[[true,true,true,false],[true,true,true,false],77,77]");
});
