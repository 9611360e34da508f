import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTests, sample } from "./browser.ts";

const inBrowser = browserTests();
/** Each would set `ran` or leave the page if anything of it were more than text. */
const CORPUS = [
  "<script>ran=1</script>",
  "<img src=x onerror=ran=1>",
  "<svg/onload=ran=1>",
  "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
  "<a href='javascript:ran=1'>click</a>",
  "[click](javascript:ran=1)",
  "[click](JaVaScRiPt:ran=1)",
  "[click](java\tscript:ran=1)",
  "[click](data:text/html,<script>opener.ran=1</script>)",
  "[click](vbscript:ran=1)",
  "[click](//evil.example)",
  "[click](/api/shutdown)",
  "![x](http://evil.example/pixel.png)",
  "![x](javascript:ran=1)",
  '<http://evil.example/"onmouseover=ran=1>',
  "[a](http://evil.example/'onclick=ran=1)",
  "`</code><script>ran=1</script>`",
  "```\n</pre><script>ran=1</script>\n```",
  "> <b onmouseover=ran=1>quote</b>",
  "| a | b |\n|---|---|\n| <script>ran=1</script> | [x](javascript:ran=1) |",
  "<style>body{display:none}</style>",
  "<meta http-equiv=refresh content='0;url=http://evil.example'>",
  "<base href='http://evil.example'>",
  "<form action=http://evil.example><button>Send",
  "<!--><script>ran=1</script>-->",
  "\u202etxt.exe\u202c \u200b\u0000\u001b[31mred\u001b]8;;http://evil.example\u0007link",
  "<math><mtext><table><mglyph><style><!--</style><img title='--><img src=x onerror=ran=1>'>",
  "{{constructor.constructor('ran=1')()}} ${ran=1}",
  "*".repeat(3000),
  "[".repeat(3000),
  "> ".repeat(2000),
  `${"- ".repeat(1000)}x`,
  "a".repeat(30_000),
];
/** `evil` is a server that really answers: what reaches it got out. */
const previews = (evil: string) => [
  `<script>parent.ran=1;top.location='${evil}'</script><p>end</p>`,
  "<img src=x onerror='parent.ran=1'><p>end</p>",
  `<a href='${evil}' target=_top>out</a><p>end</p>`,
  `<a href='${evil}/self'>out</a><p>end</p>`,
  `<form action='${evil}' target=_top><input type=submit autofocus></form><p>end</p>`,
  "<iframe src='/'></iframe><object data='/'></object><embed src='/'><p>end</p>",
  `<meta http-equiv=refresh content='0;url=${evil}'><p>end</p>`,
  `<link rel=stylesheet href='${evil}/x.css'><style>@import '${evil}/y.css';</style><p>end</p>`,
  "<svg><script>parent.ran=1</script></svg><p>end</p>",
];

inBrowser("[WB29] hostile text in a question, header, label, description or preview is text", async (web) => {
  const requests: string[] = [];
  const page = await web.open();
  page.on("request", (request) => requests.push(request.url()));
  for (const [i, text] of CORPUS.entries()) {
    const options = [
      { label: `A ${i}`, description: text, preview: text },
      { label: `B ${i}`, description: `<img src=x onerror=ran=1> ${i}` },
    ];
    await web.ask(
      { question: `${text} ${i}?`, header: `H${i}`, options },
      { agent: text.slice(0, 40), project: text, branch: text },
    );
  }
  await page
    .locator(".row")
    .nth(CORPUS.length - 1)
    .waitFor({ state: "attached" });
  for (const i of CORPUS.keys()) {
    await page.goto(await linkOf(page, i));
    await page.locator(".fields .chip", { hasText: new RegExp(`^H${i}$`) }).waitFor();
    for (const link of await page.locator("main a[target]").all())
      expect(await link.getAttribute("href")).toMatch(/^(https?|mailto):/);
    expect(await page.locator("main :is(script, style, img, object, embed, base, meta, link)").count()).toBe(0);
  }
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  expect(new URL(page.url()).origin).toBe(web.program.url());
  expect(requests.filter((url) => !url.startsWith(web.program.url()))).toEqual([]);
  expect((await fetch(`${web.program.url()}/health`)).status).toBe(200);
});

inBrowser("[WB30] a hostile HTML preview runs nothing, loads nothing and leads nowhere", async (web) => {
  const reached: string[] = [];
  using evil = Bun.serve({ port: 0, fetch: ({ url }) => (reached.push(url), new Response("hi")) });
  const page = await web.open();
  for (const [i, preview] of previews(evil.url.origin).entries()) {
    const { id } = await web.asks([
      sample({
        header: `H${i}`,
        options: [
          { label: "A", description: "a", preview },
          { label: "B", description: "b" },
        ],
      }),
    ]);
    await page.goto(`${web.program.url()}/#/ask/${id}`);
    await page.frameLocator(".previews iframe").getByText("end").waitFor();
    const out = page.frameLocator(".previews iframe").locator("a, input");
    if ((await out.count()) > 0)
      await out
        .first()
        .click({ timeout: 2000 })
        .catch(() => undefined);
    expect(page.url()).toBe(`${web.program.url()}/#/ask/${id}`);
  }
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
  expect(reached).toEqual([]);
});

async function linkOf(page: Page, i: number): Promise<string> {
  const href = await page
    .locator(".row a", { has: page.locator(".chip", { hasText: new RegExp(`^H${i}$`) }) })
    .getAttribute("href");
  return new URL(href ?? "", page.url()).href;
}
