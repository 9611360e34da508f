import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Json = Record<string, unknown>;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
/** Somebody was there, and was recognised; with a key: it is told of. */
const FLAGS = { seen: 0b101, made: 0b1000101 };

/** A device with one passkey, made of nothing but the standard: for requests without a browser. */
export function softPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const rp = sha256(new URL(origin).hostname);
  let counter = 0;

  const client = (type: string, challenge: unknown) => Buffer.from(JSON.stringify({ type, challenge, origin }));
  const said = (response: Json) => ({
    id: text(id),
    rawId: text(id),
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    id: text(id),
    publicKey: text(coseOf(publicKey)),
    create({ challenge }: Json) {
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([head(FLAGS.made), Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        word("fmt"),
        word("none"),
        word("attStmt"),
        Buffer.from([0xa0]),
        word("authData"),
        Buffer.from([0x58, authData.length]),
        authData,
      ]);
      const clientDataJSON = text(client("webauthn.create", challenge));
      return said({ clientDataJSON, attestationObject: text(attestation), transports: ["internal"] });
    },
    get({ challenge }: Json) {
      const [data, authenticatorData] = [client("webauthn.get", challenge), head(FLAGS.seen)];
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      return said({
        clientDataJSON: text(data),
        authenticatorData: text(authenticatorData),
        signature: text(signature),
      });
    },
  };

  function head(flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([rp, Buffer.from([flags]), count]);
  }
}

const word = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, "base64url")]);
  // kty: EC2, alg: ES256, crv: P-256, x, y.
  return Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), bytes(0x21, x), bytes(0x22, y)]);
}
