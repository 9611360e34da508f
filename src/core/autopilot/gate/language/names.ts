const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Names of languages, formats, libraries, stores, fonts and algorithms: to choose among them is to decide how the work is built. */
export const NAMES = set(`
React Vue Svelte SvelteKit Preact Angular Solid SolidJS Redux Zustand Jotai Recoil MobX XState Pinia jQuery Alpine HTMX Astro Nuxt Remix Gatsby Qwik Lit Ember
TypeScript JavaScript Python Rust Go Golang Java Kotlin Swift Ruby PHP Scala Elixir Erlang Haskell OCaml Clojure Lua Perl Dart Zig Nim Julia Fortran Cobol
Postgres PostgreSQL SQLite MySQL MariaDB MongoDB Redis DuckDB Memcached Cassandra CouchDB LevelDB RocksDB Neo4j Prisma Drizzle Kysely Knex Sequelize TypeORM
Diesel SQLx SQLAlchemy Alembic Hibernate Zod Valibot Yup Joi Ajv Pydantic Vitest Jest Mocha Jasmine Ava Playwright Cypress Puppeteer Selenium pytest unittest
JUnit RSpec PHPUnit Mockito Hypothesis Tailwind Bootstrap Bulma Sass Less PostCSS Emotion Stitches Radix Shadcn Chakra Mantine MUI Vuetify Ionic Flutter
Electron Tauri Expo Markdown MDX YAML TOML JSON5 INI Protobuf Avro Parquet GraphQL gRPC tRPC WebSocket WebSockets WebGL WebGPU Wasm WebAssembly
camelCase PascalCase kebabCase snakeCase Inter Roboto Helvetica Georgia Arial Verdana Lato Poppins Montserrat Merriweather Lora Fira Courier Times JetBrains
Express Fastify Hono Koa NestJS Django Flask FastAPI Rails Sinatra Laravel Symfony Spring Quarkus Gin Echo Fiber Actix Axum Rocket Phoenix Webpack Vite Rollup
esbuild SWC Babel Parcel Turbopack ESLint Prettier Biome Stylelint Rubocop Ruff Black Flake8 Pylint Mypy Pyright Clippy Lucide Phosphor Heroicons Feather
Mermaid PlantUML Graphviz Excalidraw Storybook Figma Sketch LaTeX Typst Pandoc Sphinx MkDocs Docusaurus VitePress Jekyll Hugo Eleventy D3 Chartjs Recharts Plotly
Matplotlib Seaborn Pandas Polars NumPy SciPy Excel Word Unity Godot Phaser Bevy Pygame Threejs Three Pixi Argon2 Argon2id bcrypt scrypt Dijkstra Levenshtein
Quicksort Mergesort Timsort Monolith Gherkin Cucumber Nord Dracula Solarized Gruvbox Monokai Catppuccin Material Linear Unix Windows Linux Mac Android
English German French Spanish Portuguese Russian Chinese Japanese Korean Italian Dutch Polish Turkish Arabic Hindi Swedish British American
react vue svelte angular typescript javascript python rust java kotlin swift ruby php postgres postgresql sqlite mysql mongodb redis prisma drizzle zod vitest jest mocha
playwright cypress tailwind bootstrap sass graphql webpack vite eslint prettier biome django flask fastapi rails laravel shadcn argon2 scrypt markdown yaml toml csv pdf svg
html css json js ts jsx tsx sql xml
`);

/** Words in capitals that are words. */
export const ACRONYMS = set(`
API APIs CSS HTML JSON XML CSV TSV SVG PNG JPEG JPG GIF WebP PDF EPUB UI UX URL URLs ID IDs OK YES NO AND OR NOT SQL NoSQL REST RPC SSE HTTP MVP CRUD UTC ISO FAQ CTA
RGB HSL HEX A11Y I18N L10N DOM JSX TSX SPA SSR SSG CSR PWA README TODO ASCII UTF UUID UUIDs ULID BEM MVC DTO ORM RBAC ABAC MVVM TDD BDD DDD ADR ADRs RFC UML BNF AST
E2E WCAG AA AAA DSL SDK CLI TUI GUI IDE OOP FP DRY KISS SOLID YAGNI LRU FIFO LIFO BFS DFS JS TS GUID FPS HUD NPC XP AM PM EU US UK USA DIN A4 A5 LTR RTL
`);
