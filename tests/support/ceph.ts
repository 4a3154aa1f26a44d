import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'

import { aFreePort } from './free-port.ts'

/** Whether this system has a Ceph RADOS Gateway (`apt-get install radosgw ceph-mon ceph-osd`). */
export const hasCeph = ['radosgw', 'ceph-mon', 'ceph-osd', 'monmaptool'].every(
  (program) => spawnSync('which', [program]).status === 0,
)

/** The variable that says where the owner of the shared instance answers. */
export const sharedCephAddress = 'GALLEY_TEST_CEPH'

export interface Keys {
  readonly id: string
  readonly secret: string
}

const owner: Keys = { id: 'GALLEYKEY', secret: 'GALLEYSECRET' }
const reader: Keys = { id: 'READERKEY', secret: 'READERSECRET' }

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  const lastLines = Buffer.concat(errors).toString().trimEnd().split('\n').slice(-8).join('\n')
  throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${lastLines}`)
}

/**
 * Repeats a command of the shell until it succeeds, for 90 seconds. A new monitor refuses connections for a moment, and
 * `radosgw-admin` may crash after it has done its work.
 */
function untilTaken(command: string): Promise<void> {
  return run('timeout', ['90', 'sh', '-c', `until ${command}; do sleep 0.2; done`])
}

/** One of the gateways of a cluster, whose files are in a folder. */
interface Place {
  readonly folder: string
  readonly port: number
}

/** A real S3 storage on loopback: one monitor, one store in memory, one gateway. Starts in about ten seconds. */
export async function startCeph(within = tmpdir()): Promise<CephGateway & { readonly stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(within, 'galley-ceph-'))
  const [monPort, port] = [await aFreePort(), await aFreePort()]
  const conf = join(folder, 'ceph.conf')
  const [cluster, store] = [randomUUID(), randomUUID()]
  for (const part of ['mon', 'osd']) await mkdir(join(folder, part))
  await writeFile(
    conf,
    [
      '[global]',
      `fsid=${cluster}`,
      'mon_initial_members=a',
      `mon_host=v1:127.0.0.1:${monPort}`,
      'public_addr=127.0.0.1',
      'cluster_addr=127.0.0.1',
      'keyring=/dev/null',
      'auth_cluster_required=none',
      'auth_service_required=none',
      'auth_client_required=none',
      'osd_pool_default_size=1',
      'osd_pool_default_min_size=1',
      'osd_pool_default_pg_num=1',
      'osd_pool_default_pg_autoscale_mode=off',
      'mon_allow_pool_size_one=true',
      'mon_max_pg_per_osd=1000',
      'osd_crush_chooseleaf_type=0',
      'osd_objectstore=memstore',
      'memstore_device_bytes=4294967296',
      // Changes of buckets wait so long for a gateway that was killed.
      'osd_client_watch_timeout=3',
      `mon_data=${folder}/mon`,
      `osd_data=${folder}/osd`,
      `run_dir=${folder}`,
      `crash_dir=${folder}`,
      `pid_file=${folder}/$name.pid`,
      `admin_socket=${folder}/$name.asok`,
      `log_file=${folder}/$name.log`,
      'rgw_thread_pool_size=32',
      '',
    ].join('\n'),
  )
  const map = join(folder, 'monmap')
  await run('monmaptool', ['--create', '--addv', 'a', `v1:127.0.0.1:${monPort}`, '--fsid', cluster, map])
  await run('ceph-mon', ['-c', conf, '--mkfs', '-i', 'a', '--monmap', map])
  await run('ceph-mon', ['-c', conf, '-i', 'a'])
  await untilTaken(`ceph -c ${conf} osd new ${store}`)
  await run('ceph-osd', ['-c', conf, '-i', '0', '--mkfs', '--osd-uuid', store])
  await untilTaken(`ceph-osd -c ${conf} -i 0`)
  for (const [user, { id, secret }] of [
    ['galley', owner],
    ['reader', reader],
  ] as const) {
    const admin = `radosgw-admin -c ${conf} -n client.rgw user`
    const create = `${admin} create --uid=${user} --display-name=${user} --access-key=${id} --secret-key=${secret}`
    await untilTaken(`${create} || ${admin} info --uid=${user} | grep -q ${id}`)
  }
  const ceph = cephAt({ folder, port })
  await ceph.startGateway()
  return {
    ...ceph,
    async stop(): Promise<void> {
      for (const file of await readdir(folder)) if (file.endsWith('.pid')) await killBy(join(folder, file))
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** The instance that all tests of a run share. Its buckets are theirs by name: `aBucket` gives a new one. */
export async function sharedCeph(): Promise<CephGateway> {
  const answer = await fetch(process.env[sharedCephAddress] ?? '')
  if (!answer.ok) throw new Error(await answer.text())
  return cephAt((await answer.json()) as Place)
}

/** Another gateway to the same buckets, for tests that kill it. */
export async function anotherGateway({ place: { folder } }: CephGateway): Promise<CephGateway> {
  const ceph = cephAt({ folder, port: await aFreePort() })
  await ceph.startGateway()
  return ceph
}

/** Kills a process, unless it was killed before. */
async function killBy(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return
  const processId = Number(await readFile(pidFile, 'utf8'))
  await rm(pidFile)
  process.kill(processId, 'SIGKILL')
}

export type CephGateway = ReturnType<typeof cephAt>
export type Ceph = Awaited<ReturnType<typeof startCeph>>

function cephAt(place: Place) {
  const { folder, port } = place
  const conf = join(folder, 'ceph.conf')
  const url = `http://127.0.0.1:${port}`
  const name = `client.rgw${port}`
  const startGateway = async (): Promise<void> => {
    // Without tcp_nodelay a listing takes 45 ms in place of 3: its last packet waits for the client's acknowledgement.
    const listens = `--rgw-frontends=beast endpoint=127.0.0.1:${port} tcp_nodelay=1`
    await run('radosgw', ['-c', conf, '-n', name, listens])
    await run('curl', ['-fsS', '--retry', '60', '--retry-delay', '1', '--retry-connrefused', '-o', '/dev/null', url])
  }

  const client = new AwsClient({
    accessKeyId: owner.id,
    secretAccessKey: owner.secret,
    service: 's3',
    region: 'us-east-1',
    retries: 0,
  })
  const ask = async (
    path: string,
    init: RequestInit = {},
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await client.fetch(`${url}/${path}`, init)
    return { status: answer.status, text: await answer.text() }
  }
  const must = async (path: string, init: RequestInit): Promise<void> => {
    const { status, text } = await ask(path, init)
    if (status >= 300) throw new Error(`The storage answered ${status}: ${text}`)
  }
  const policy = (principal: unknown, actions: readonly string[], bucket: string): string =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: principal,
          Action: actions,
          Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
        },
      ],
    })

  /** Creates a bucket that anyone may read, that only its owner may read, or that `reader` may read but not write. */
  const makeBucket = async (bucket: string, kind: 'public' | 'private' | 'read_only'): Promise<void> => {
    const allow = (principal: unknown, actions: readonly string[]) =>
      must(`${bucket}?policy=`, { method: 'PUT', body: policy(principal, actions, bucket) })
    await must(bucket, { method: 'PUT' })
    if (kind === 'public') await allow('*', ['s3:GetObject'])
    if (kind === 'read_only') await allow({ AWS: ['arn:aws:iam:::user/reader'] }, ['s3:GetObject', 's3:ListBucket'])
  }

  return {
    place,
    url,
    owner,
    reader,
    makeBucket,
    /** Creates such a bucket with a name of its own. */
    async aBucket(kind: 'public' | 'private' | 'read_only'): Promise<string> {
      const bucket = `test-${randomUUID().slice(0, 8)}`
      await makeBucket(bucket, kind)
      return bucket
    },
    async keepVersions(name: string): Promise<void> {
      const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
      await must(`${name}?versioning=`, { method: 'PUT', body })
    },
    async allowOrigins(name: string): Promise<void> {
      const rule = '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>'
      await must(`${name}?cors=`, { method: 'PUT', body: `<CORSConfiguration>${rule}</CORSConfiguration>` })
    },
    /** The keys of all objects in a bucket. */
    async keys(name: string): Promise<readonly string[]> {
      const { text } = await ask(`${name}?list-type=2&max-keys=1000`)
      return Array.from(text.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key]) => key ?? '')
    },
    /** Multipart uploads that have not ended. */
    async openUploads(name: string): Promise<readonly string[]> {
      const { text } = await ask(`${name}?uploads=`)
      return Array.from(text.matchAll(/<UploadId>([^<]*)<\/UploadId>/g), ([, id]) => id ?? '')
    },
    /** Limits what a bucket holds; null: no limit. */
    async setQuota(name: string, bytes: number | null): Promise<void> {
      const admin = (args: string) =>
        untilTaken(`radosgw-admin -c ${conf} -n client.rgw quota ${args} --quota-scope=bucket --bucket=${name}`)
      if (bytes !== null) await admin(`set --max-size=${bytes}`)
      await admin(bytes === null ? 'disable' : 'enable')
    },
    put: (path: string, body: string) => must(path, { method: 'PUT', body }),
    async beginUpload(path: string): Promise<string> {
      const { text } = await ask(`${path}?uploads=`, { method: 'POST' })
      return /<UploadId>([^<]*)<\/UploadId>/.exec(text)?.[1] ?? ''
    },
    startGateway,
    killGateway: () => killBy(join(folder, `${name}.pid`)),
  }
}
