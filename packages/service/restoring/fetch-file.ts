import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import type { Dispatcher } from 'undici'
import { errors, request } from 'undici'

const timeoutMs = 15_000

interface FileRequest {
  readonly url: string
  /** The same as for callbacks (contract, Authentication 5). */
  readonly authorization: string | null
  readonly dispatcher: Dispatcher
  /** Aborts the whole restore. */
  readonly signal: AbortSignal
  /** Receives the bytes in chunks; returning a reason stops the download. */
  readonly take: (bytes: Buffer) => string | null
}

/** GETs one public file of a site: no retries, no redirects, with a time limit. Fails with a readable reason. */
export async function fetchFile(file: FileRequest): Promise<Result<null, string>> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await request(file.url, {
      dispatcher: file.dispatcher,
      signal: AbortSignal.any([deadline, file.signal]),
      headers: {
        'user-agent': 'galley-emulator',
        ...(file.authorization === null ? {} : { authorization: file.authorization }),
      },
    })
    if (response.statusCode !== 200) {
      await response.body.dump()
      return fail(`the site returned HTTP status ${response.statusCode}`)
    }
    for await (const chunk of response.body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('undici gives bodies as buffers')
      const refused = file.take(chunk)
      if (refused !== null) return fail(refused)
    }
    return ok(null)
  } catch (problem) {
    if (deadline.aborted || file.signal.aborted) return fail('the site did not send it in time')
    if (problem instanceof errors.InvalidArgumentError)
      return fail('the webhook_auth_* values cannot be sent in a header')
    if (problem instanceof Error && 'code' in problem)
      return fail(`the site could not be reached (${typeof problem.code === 'string' ? problem.code : problem.name})`)
    throw problem
  }
}
