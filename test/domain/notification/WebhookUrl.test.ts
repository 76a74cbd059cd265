import { describe, expect, it } from "vitest"
import { webhookUrlObjection } from "../../../domain/notification/WebhookUrl.ts"

describe("webhookUrlObjection", () => {
  it.each([
    ["https://example.com/hook?x=1"],
    ["http://example.com:8080/"],
    ["https://8.8.8.8/"],
    ["https://[2606:4700::1111]/"],
    ["https://172.32.0.1/"],
    ["https://192.169.0.1/"],
    ["https://100.128.0.1/"],
    ["https://localhost.example.com/"],
  ])("has none against %s", (url) => {
    expect(webhookUrlObjection(url, false)).toBeUndefined()
  })

  it.each([
    ["http://0.0.0.0/"],
    ["http://127.0.0.1/"],
    ["http://127.1/"],
    ["http://0177.0.0.1/"],
    ["http://10.0.0.1/"],
    ["http://172.31.255.255/"],
    ["http://192.168.0.1/"],
    ["http://169.254.169.254/"],
    ["http://224.0.0.1/"],
    ["http://255.255.255.255/"],
    ["http://[::]/"],
    ["http://[::1]/"],
    ["http://[fc00::1]/"],
    ["http://[fe80::1]/"],
    ["http://[fd00:ec2::254]/"],
    ["http://[::ffff:127.0.0.1]/"],
    ["http://[64:ff9b::7f00:1]/"],
    ["http://[2002:7f00:1::]/"],
    ["http://localhost/"],
    ["http://a.localhost/"],
    ["http://intranet/"],
    ["http://x.internal./"],
  ])("refuses %s unless private addresses are allowed", (url) => {
    expect(webhookUrlObjection(url, false)).toContain("private")
    expect(webhookUrlObjection(url, true)).toBeUndefined()
  })

  it.each([["x"], [""], ["ftp://example.com"], ["https://"], ["https://u:p@example.com/"], ["mailto:a@example.com"]])(
    "refuses %j whatever is allowed",
    (url) => {
      expect(webhookUrlObjection(url, true)).toBeTypeOf("string")
    },
  )
})
