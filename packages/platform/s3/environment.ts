export type Environment = Readonly<Record<string, string | undefined>>

/** The environment variables for keys that all S3 tools read. */
export function environmentKeys({ AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, ...others }: Environment) {
  return id && secret ? { id, secret, sessionToken: others['AWS_SESSION_TOKEN'] || undefined } : null
}

/** The values among them that no log may contain. */
export const secretsIn = (environment: Environment): readonly string[] => {
  const { secret, sessionToken } = environmentKeys(environment) ?? {}
  return [secret, sessionToken].filter((value) => value !== undefined)
}

/** The URL of a bucket: from the settings, otherwise from the environment, otherwise Amazon's. */
export function bucketAddress(
  bucket: { readonly name: string; readonly endpoint?: string | null; readonly region?: string | null },
  environment: Environment,
): { readonly root: string; readonly region: string; readonly isFromEnvironment: boolean } {
  const { name } = bucket
  const region = bucket.region ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  const given = environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL']
  const endpoint = bucket.endpoint ?? given
  // Other providers rarely support a host name per bucket.
  const root = endpoint ? `${endpoint.replace(/\/+$/, '')}/${name}` : `https://${name}.s3.${region}.amazonaws.com`
  return { root, region, isFromEnvironment: !bucket.endpoint && given !== undefined }
}
