import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'

import { cause } from '../../contract/cause.ts'
import type { KeyVariable } from '../../contract/ipc/settings.ts'
import { mediaType } from '../../contract/media-types.ts'
import { encodeSegment } from '../../contract/public-url.ts'
import { httpClient } from '../http-client.ts'
import type { Vault } from '../vault/vault.ts'
import type { PublicFile, Publisher } from './publisher.ts'
import { PublishError } from './publisher.ts'

/** Where a bucket is, from the variables that all tools of its kind read. */
type Environment = Readonly<Record<string, string | undefined>>

/** Both are needed to sign. */
const keyVariables = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const

/** Which variables the keys of buckets come from, and whether they are set; never what they hold. */
export const bucketKeys = (environment: Environment): readonly KeyVariable[] =>
  keyVariables.map((name) => ({ name, isSet: Boolean(environment[name]) }))

const putTimeoutMs = 60_000
const waitsMs = [500, 2000]

/**
 * Puts public files into a bucket, each in one signed PUT under the content hash that the vault knows already. Media
 * addresses carry that hash, so putting a file twice is harmless.
 */
export function s3Publisher(
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  environment: Environment,
  vault: Pick<Vault, 'read'>,
): Publisher {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? 'us-east-1'
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  // Other providers rarely have a host name for each bucket.
  const root = endpoint ? `${endpoint.replace(/\/+$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`

  async function put(file: PublicFile, keys: { accessKeyId: string; secretAccessKey: string }): Promise<number> {
    const name = decodeURIComponent(file.path)
    const key = `${prefix}${name}`.split('/').filter(Boolean).map(encodeSegment).join('/')
    const signed = await new AwsV4Signer({
      ...keys,
      ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
      url: `${root}/${key}`,
      method: 'PUT',
      service: 's3',
      region,
      headers: {
        'content-type': mediaType(name),
        'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        'x-amz-content-sha256': file.sha256,
      },
    }).sign()
    const { request } = await httpClient()
    const { statusCode, body } = await request(signed.url, {
      method: 'PUT',
      signal: AbortSignal.timeout(putTimeoutMs),
      headers: { ...Object.fromEntries(signed.headers), 'content-length': String(file.slice.sizeBytes) },
      body: vault.read(file.slice),
    })
    await body.dump()
    return statusCode
  }

  return {
    async publish(files) {
      if (!accessKeyId || !secretAccessKey) throw new PublishError(cause('no_bucket_keys'))
      for (const file of files) {
        for (const waitMs of [...waitsMs, null]) {
          const status = await put(file, { accessKeyId, secretAccessKey }).catch(() => null)
          if (status === 200) break
          const again = status === null || status === 429 || status >= 500
          if (!again || waitMs === null) {
            throw new PublishError(
              status === null ? cause('bucket_unreached') : cause('bucket_refused', { name: status }),
            )
          }
          await delay(waitMs)
        }
      }
    },
  }
}
