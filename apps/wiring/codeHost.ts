import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { defaultApiUrl, layer } from "../../adapters/github/GitHubCodeHost.ts"
import { Refusal } from "../runMain.ts"
import { version } from "./version.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

const variables = Config.all({
  apiUrl: Config.String("GITHUB_API_URL").pipe(Config.withDefault(defaultApiUrl)),
  serverUrl: Config.String("GITHUB_SERVER_URL").pipe(Config.withDefault("")),
})

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/**
 * GitHub, or the GitHub Enterprise Server at `GITHUB_API_URL`. `GITHUB_SERVER_URL` is the base of its repositories, if
 * that is not the API's own host. GitHub Actions sets both.
 */
export const codeHost = Layer.unwrap(
  Effect.gen(function* () {
    const { apiUrl, serverUrl } = yield* variables
    for (const [name, url] of Object.entries({ GITHUB_API_URL: apiUrl, GITHUB_SERVER_URL: serverUrl || apiUrl })) {
      if (!isWebUrl(url)) {
        return yield* Effect.fail(
          new Refusal(
            `${name} is not a URL: it must look like https://api.github.com or https://ghe.example.com/api/v3.`,
          ),
        )
      }
    }
    return layer({
      apiUrl: withoutTrailingSlashes(apiUrl),
      serverUrl: serverUrl === "" ? undefined : serverUrl,
      userAgent: `assay/${version}`,
    })
  }).pipe(
    Effect.catchTag("ConfigError", (error) => Effect.fail(new Refusal(`Invalid configuration. ${error.message}`))),
  ),
)
