import { describe, expect, it } from "vitest"
import { parsePrometheus } from "./prometheusText.ts"

const family = "# HELP a_total What.\n# TYPE a_total counter\n"
const histogram = "# HELP h What.\n# TYPE h histogram\n"

describe("the reader of Prometheus' text format", () => {
  it("reads labels with escapes and every form of number", () => {
    const [sample] = parsePrometheus(`${family}a_total{l="x\\"\\\\,}\\n",m=""} 1.5e-3\n`).get("a_total")!.samples
    expect(sample).toEqual({ name: "a_total", labels: { l: 'x\\"\\\\,}\\n', m: "" }, value: 0.0015 })
  })

  it.each([
    ["no last line break", `${family}a_total 1`],
    ["a value that is not a number", `${family}a_total one\n`],
    ["a name that is none", `${family}a-total 1\n`],
    ["a label without quotes", `${family}a_total{l=x} 1\n`],
    ["a label twice", `${family}a_total{l="x",l="y"} 1\n`],
    ["a series twice", `${family}a_total{l="x",m="y"} 1\na_total{m="y",l="x"} 1\n`],
    ["a family twice", `${family}a_total 1\n${family}a_total{l="x"} 1\n`],
    ["a sample outside of its family", `${family}b_total 1\n`],
    ["a family without help", "# TYPE a_total counter\na_total 1\n"],
    ["a counter without _total", "# HELP a What.\n# TYPE a counter\na 1\n"],
    ["a histogram without its last bucket", `${histogram}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`],
    ["a histogram whose buckets fall", `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
    ["a histogram that counts two ways", `${histogram}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
  ])("refuses %s", (_, text) => {
    expect(() => parsePrometheus(text)).toThrow()
  })
})
