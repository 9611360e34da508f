// Draws docs/desktop-notification.png: a real question on a real notification daemon (dunst under Xvfb), and beside it the same as
// a push that a real Firefox got, decrypted and showed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { configPath } from "../src/machine/settings/config-file.ts";
import { createProgram } from "../test/e2e/program.ts";
import { eventually } from "../test/patience.ts";
import { createAutopush, openFirefox } from "../test/web/firefox.ts";

const SETTINGS = "[notify]\nafter_seconds = 0\n[notify.push]\ntext = true\nprivate_services = true\n";
const DUNST = `[global]
    font = DejaVu Sans 12
    width = 580
    origin = top-right
    offset = 20x20
    gap_size = 14
    frame_width = 1
    frame_color = "#b8b8c4"
    format = "<small>%a</small>\\n<b>%s</b>\\n%b"
    show_indicators = no
    icon_position = off
[urgency_normal]
    timeout = 0
    background = "#ffffff"
    foreground = "#202028"
[urgency_low]
    timeout = 0
    background = "#ffffff"
    foreground = "#202028"
`;

const root = mkdtempSync(join(tmpdir(), "parley-pictures-"));
const children: Bun.Subprocess[] = [];
const program = createProgram();
const autopush = createAutopush();
let firefox: Awaited<ReturnType<typeof openFirefox>> | undefined;
try {
  const screen = await firstLine([
    "Xvfb",
    "-displayfd",
    "1",
    "-screen",
    "0",
    "2000x900x24",
    "-nolisten",
    "tcp",
    "-fbdir",
    root,
  ]);
  const bus = await firstLine([
    "dbus-daemon",
    "--session",
    "--nofork",
    "--print-address=1",
    `--address=unix:path=${root}/bus`,
  ]);
  const desktop = { DISPLAY: `:${screen}`, DBUS_SESSION_BUS_ADDRESS: bus };
  writeFileSync(join(root, "dunstrc"), DUNST);
  start(["dunst", "-conf", join(root, "dunstrc")], desktop);
  const displayed = () => {
    const { stdout } = Bun.spawnSync(["dunstctl", "count", "displayed"], { env: { ...process.env, ...desktop } });
    return Number(stdout.toString() || Number.NaN);
  };
  await until(() => displayed() === 0);
  const file = configPath({ HOME: program.user }, program.user);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, SETTINGS);
  await program.start(desktop);
  firefox = await openFirefox(autopush, desktop);
  await firefox.takePushes(program, "Firefox");
  const options = [
    { label: "SQLite", description: "one file, no server" },
    { label: "PostgreSQL", description: "a server of its own" },
  ];
  const question = {
    question: "Which database should the checkout use?",
    header: "Storage",
    multiSelect: false,
    options,
  };
  const origin = { agent: "claude-code", project: "shop", sessionTitle: "Checkout" };
  await program.client("agent").call("createAsk", { body: { questions: [question], origin } });
  await until(() => displayed() === 2);
  // What is counted is not drawn yet.
  await Bun.sleep(1500);
  writeFileSync(
    join(import.meta.dir, "../docs/desktop-notification.png"),
    png(readFileSync(join(root, "Xvfb_screen0"))),
  );
} finally {
  await firefox?.stop();
  await autopush.stop();
  await program.dispose();
  for (const child of children.toReversed()) {
    child.kill();
    await child.exited;
  }
  rmSync(root, { recursive: true, force: true });
}

function start(command: string[], more: Record<string, string> = {}): Bun.Subprocess<"ignore", "pipe", "ignore"> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, XDG_RUNTIME_DIR: root, ...more };
  const child = Bun.spawn(command, { env, stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return child;
}

async function firstLine(command: string[]): Promise<string> {
  let text = "";
  for await (const chunk of start(command).stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return text.trim();
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await isSo())) throw new Error(`not so: ${String(isSo)}`);
  });
}

/** The corner with the notifications, of what Xvfb keeps of its screen: an X window dump with 32 bits a pixel. */
function png(dump: Buffer): Buffer {
  const [left, width, height] = [1350, 650, 330];
  const field = (place: number) => dump.readUInt32BE(place * 4);
  const [head, stride, colors] = [field(0), field(12), field(19)];
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) {
      const at = head + colors * 12 + y * stride + (left + x) * 4;
      row.set([dump[at + 2] ?? 0, dump[at + 1] ?? 0, dump[at] ?? 0], 1 + x * 3);
    }
    return row;
  });
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const parts = [part("IHDR", size), part("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), part("IEND")];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}

function part(name: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Bun.hash.crc32(body));
  return Buffer.concat([length, body, sum]);
}
