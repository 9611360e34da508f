import { storeContract } from "../../test/contract/store.ts";
import { openMemory } from "./memory.ts";

storeContract("memory", { open: openMemory, gaps: { reopen: "nothing of it is written anywhere" } });
