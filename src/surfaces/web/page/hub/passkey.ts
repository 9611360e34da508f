// What the browser's own passkey calls take and give, from and to the JSON that a hub speaks.

type Json = Record<string, unknown>;
type Descriptor = { id: string; type: "public-key"; transports?: AuthenticatorTransport[] };

export async function createPasskey(options: object): Promise<Json> {
  const {
    challenge,
    user,
    excludeCredentials = [],
    ...rest
  } = options as Json & {
    challenge: string;
    user: Json & { id: string };
    excludeCredentials?: Descriptor[];
  };
  const made = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        ...rest,
        challenge: bytes(challenge),
        user: { ...user, id: bytes(user.id) },
        excludeCredentials: excludeCredentials.map(described),
      } as unknown as PublicKeyCredentialCreationOptions,
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return said(made, {
    attestationObject: text(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

export async function usePasskey(options: object): Promise<Json> {
  const {
    challenge,
    allowCredentials = [],
    ...rest
  } = options as Json & {
    challenge: string;
    allowCredentials?: Descriptor[];
  };
  const publicKey = { ...rest, challenge: bytes(challenge), allowCredentials: allowCredentials.map(described) };
  const found = await ask(() => navigator.credentials.get({ publicKey }));
  const { authenticatorData, signature, userHandle } = found.response as AuthenticatorAssertionResponse;
  return said(found, {
    authenticatorData: text(authenticatorData),
    signature: text(signature),
    ...(userHandle && { userHandle: text(userHandle) }),
  });
}

async function ask(work: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!("PublicKeyCredential" in globalThis))
    throw new Error("This browser has no passkeys here. They need https, or localhost, and a browser that knows them.");
  const found = await work().catch((error: unknown) => {
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError") throw new Error("No passkey was chosen. Try again.");
    if (name === "InvalidStateError")
      throw new Error("This device has a passkey for you here already: sign in with it.");
    throw error;
  });
  if (!found) throw new Error("No passkey was chosen. Try again.");
  return found as PublicKeyCredential;
}

function said(found: PublicKeyCredential, more: Json): Json {
  const { id, rawId, type, response, authenticatorAttachment } = found;
  return {
    id,
    rawId: text(rawId),
    type,
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: found.getClientExtensionResults(),
    response: { clientDataJSON: text(response.clientDataJSON), ...more },
  };
}

const described = ({ id, ...rest }: Descriptor) => ({ ...rest, id: bytes(id) });

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
