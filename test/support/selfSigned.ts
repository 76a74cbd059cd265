import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** DER: a tag, the length, the contents. */
const der = (tag: number, ...contents: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(contents)
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...contents: ReadonlyArray<Buffer>) => der(0x30, ...contents)
const objectId = (...bytes: ReadonlyArray<number>) => der(0x06, Buffer.from(bytes))
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`))

const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const nameOf = (commonName: string) =>
  sequence(der(0x31, sequence(objectId(0x55, 0x04, 0x03), der(0x0c, Buffer.from(commonName)))))
const subjectAltName = (host: string) =>
  sequence(objectId(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x82, Buffer.from(host)))))

/** A self-signed certificate (RFC 5280) for a host, with its key; valid for a day, starting an hour ago. */
export const selfSigned = (host: string, endedAt?: Date): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const start = new Date((endedAt?.getTime() ?? Date.now()) - 3_600_000)
  const serial = randomBytes(8)
  serial[0] = 1
  const contents = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(host),
    sequence(time(start), time(endedAt ?? new Date(start.getTime() + 86_400_000))),
    nameOf(host),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName(host))),
  )
  const signature = sign("sha256", contents, privateKey)
  const certificate = sequence(contents, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}
