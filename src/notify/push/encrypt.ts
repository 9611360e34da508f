import { createCipheriv, createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The public key and the secret of a browser, as its subscription names them. */
export type Keys = { p256dh: string; auth: string };
/** What is new for every message; given only where a standard's example is followed. */
export type Fresh = { salt: Buffer; privateKey: Buffer };

/** RFC 8291 wants one record; services take 4096 bytes of body. */
export const RECORD = 4096;
const [SALT, KEY, NONCE, TAG, PUBLIC, SECRET] = [16, 16, 12, 16, 65, 16];
/** Salt, record size, length of the key's name, the key. */
const HEAD = SALT + 4 + 1 + PUBLIC;
/** So much plaintext fits into a body of 4096 bytes. */
export const MOST_PLAIN = RECORD - HEAD - TAG - 1;

/** A message that this browser alone can read (RFC 8291). */
export function encrypt(plain: Buffer, keys: Keys, fresh: Fresh = newFresh()): Buffer {
  const sender = createECDH("prime256v1");
  sender.setPrivateKey(fresh.privateKey);
  const receiver = bytesOf(keys.p256dh, PUBLIC);
  const [own, secret] = [sender.getPublicKey(), bytesOf(keys.auth, SECRET)];
  const key = keyFor(sender.computeSecret(receiver), secret, receiver, own);
  return seal(plain, key, { salt: fresh.salt, name: own, record: RECORD });
}

/** What the browser does with it. `privateKey`: of its subscription. */
export function decrypt(body: Buffer, { auth }: Pick<Keys, "auth">, privateKey: Buffer): Buffer {
  const receiver = createECDH("prime256v1");
  receiver.setPrivateKey(privateKey);
  return open(body, (name) => {
    const shared = receiver.computeSecret(name);
    return keyFor(shared, bytesOf(auth, SECRET), receiver.getPublicKey(), name);
  });
}

type Sealing = { salt: Buffer; name: Buffer; record: number };
/** The content coding aes128gcm (RFC 8188). `pad`: zeros before the end of each record. */
export function seal(plain: Buffer, key: Buffer, { salt, name, record }: Sealing, pad = 0): Buffer {
  const head = Buffer.concat([salt, uint32(record), Buffer.of(name.length), name]);
  const { content, nonce } = contentKeys(key, salt);
  const room = record - TAG - 1;
  const parts = [head];
  let [at, left] = [0, pad];
  for (let i = 0; ; i++) {
    const padding = Math.min(left, room - 1);
    const data = plain.subarray(at, at + room - padding);
    at += data.length;
    left -= padding;
    const isLast = at >= plain.length;
    const cipher = createCipheriv("aes-128-gcm", content, nonceOf(nonce, i));
    const text = Buffer.concat([data, Buffer.of(isLast ? 2 : 1), Buffer.alloc(padding)]);
    parts.push(cipher.update(text), cipher.final(), cipher.getAuthTag());
    if (isLast) return Buffer.concat(parts);
  }
}

/** Contract: throws where a byte is not what was sealed, or the end is missing. */
export function open(body: Buffer, keyOf: (name: Buffer) => Buffer): Buffer {
  const salt = body.subarray(0, SALT);
  const record = body.readUInt32BE(SALT);
  const end = SALT + 5 + (body[SALT + 4] ?? 0);
  const { content, nonce } = contentKeys(keyOf(body.subarray(SALT + 5, end)), salt);
  const plain: Buffer[] = [];
  for (let at = end, i = 0; at < body.length; at += record, i++) {
    const sealed = body.subarray(at, at + record);
    const decipher = createDecipheriv("aes-128-gcm", content, nonceOf(nonce, i));
    decipher.setAuthTag(sealed.subarray(-TAG));
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()]);
    const delimiter = text.findLastIndex((byte) => byte !== 0);
    const isLast = at + record >= body.length;
    if (text[delimiter] !== (isLast ? 2 : 1)) throw new Error("a record ends wrongly");
    plain.push(text.subarray(0, delimiter));
  }
  return Buffer.concat(plain);
}

function contentKeys(key: Buffer, salt: Buffer): { content: Buffer; nonce: Buffer } {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync("sha256", key, salt, `${info}\0`, length));
  return { content: derive("Content-Encoding: aes128gcm", KEY), nonce: derive("Content-Encoding: nonce", NONCE) };
}

function keyFor(shared: Buffer, secret: Buffer, receiver: Buffer, sender: Buffer): Buffer {
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  return Buffer.from(hkdfSync("sha256", shared, secret, info, 32));
}

/** The number of the record, into the last bytes. */
function nonceOf(base: Buffer, record: number): Buffer {
  const nonce = Buffer.from(base);
  nonce.writeUInt32BE((nonce.readUInt32BE(NONCE - 4) ^ record) >>> 0, NONCE - 4);
  return nonce;
}

function newFresh(): Fresh {
  const sender = createECDH("prime256v1");
  sender.generateKeys();
  return { salt: randomBytes(SALT), privateKey: sender.getPrivateKey() };
}

function bytesOf(text: string, length: number): Buffer {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== length) throw new Error(`a key of ${bytes.length} bytes, not ${length}`);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
