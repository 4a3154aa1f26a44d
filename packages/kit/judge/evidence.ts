import type { Bench, Delivered } from '../drive/bench.ts'
import { serviceKeys } from '../drive/prepare.ts'
import { describeAnswer } from '../protocol/answer.ts'

/** Quotes a text as a single word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The answer to a callback, and a command that sends it again. Secret, signature and credentials appear as variables,
 * since logs contain these lines; the metadata of the session is left out, as it may hold tokens. The archive can be
 * downloaded while the kit runs.
 */
export function evidenceOf({ run, session }: Pick<Bench, 'run' | 'session'>, delivered: Delivered): readonly string[] {
  const { answer, material, contentUrl, payload } = delivered
  const { metadata, ...members } = payload
  const { authorization } = session(material)
  const open = Object.entries(metadata ?? {}).filter(([key]) => serviceKeys.includes(key))
  const body = JSON.stringify({ ...members, metadata: Object.fromEntries(open) })
  const came =
    answer.kind !== 'answer'
      ? [describeAnswer(answer)]
      : [
          `HTTP ${answer.status}`,
          ...['content-type', 'location'].flatMap((name) =>
            answer.headers[name] === undefined ? [] : [`${name}: ${String(answer.headers[name])}`],
          ),
          answer.text === '' ? 'an empty body' : answer.text.replace(/\s+/g, ' ').trim().slice(0, 400),
        ]
  return [
    ...came.map((line) => `answer    ${line}`),
    `repeat    SIGNATURE=$(printf %s ${quoted(`${material}:${contentUrl}`)} | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
    [
      `repeat    curl -i -X POST ${quoted(run.callbackUrl.href)} -H 'Content-Type: application/json'`,
      `-H "${run.signatureHeader}: $SIGNATURE"`,
      ...(authorization === null ? [] : ['-H "Authorization: $AUTHORIZATION"']),
      `--data-raw ${quoted(body)}`,
    ].join(' '),
  ]
}
