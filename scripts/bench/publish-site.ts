/** Publishes a site of small files to a real S3 storage on loopback, compared with rclone and the same files. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { hasCeph, startCeph, type Ceph } from '../../tests/support/ceph.ts'
import { onPath } from '../runtime/processes.ts'
import { atLeast, withoutGoal, type Figure } from './figure.ts'
import type { Step } from './listener.ts'
import { pageHtml, savePages, timedGalley, timedProgram } from './site.ts'
import { withStage, type BenchOptions, type Stage } from './stage.ts'
import { median, onALine } from './statistics.ts'

/** A page and a media file each; with the generated files, 1,000 in all. */
const materials = 450
/** Galley's concurrency. rclone's default is 4. */
const transfers = 16

export async function benchPublish(options: BenchOptions): Promise<readonly Figure[]> {
  const rclone = onPath('rclone')
  if (!hasCeph || rclone === null) {
    console.log(
      'publish: radosgw, ceph-mon, ceph-osd or rclone is missing (apt-get install): there is nothing to compare with',
    )
    return []
  }
  const ceph = await startCeph()
  try {
    return await withStage(options, (stage) => againstRclone(stage, options, { ceph, rclone }))
  } finally {
    await ceph.stop()
  }
}

async function againstRclone(
  stage: Stage,
  options: BenchOptions,
  { ceph, rclone }: { readonly ceph: Ceph; readonly rclone: string },
): Promise<readonly Figure[]> {
  const pages = Array.from({ length: materials }, (_, page) => page)
  await savePages(stage, pages, (page) => ({
    files: 1,
    fileBytes: 4 * 1024,
    method: 'stored',
    html: `${pageHtml(page, materials, (other) => `galley:material/post-${other}`)}<img src="dummy-photo-00000.jpg" alt="">`,
  }))
  const out = join(stage.folder, 'out')
  await timedGalley(stage, options, ['export', 'bench', '--out', out])
  rmSync(join(out, 'galley-bundle.json'))
  const keys = { AWS_ACCESS_KEY_ID: ceph.owner.id, AWS_SECRET_ACCESS_KEY: ceph.owner.secret }
  const remote = `:s3,provider=Ceph,env_auth=true,endpoint="${ceph.url}":`
  const ours: number[] = []
  const uploads: number[] = []
  const theirs: number[] = []
  let files = 0
  for (let run = 0; run < (options.isQuick ? 2 : 5); run += 1) {
    const bucket = `bench-${run}`
    await ceph.makeBucket(bucket, 'private')
    await timedGalley(
      stage,
      options,
      ['target', 'add', 'bench', `t${run}`, `s3:${bucket}/ours`, '--endpoint', ceph.url],
      keys,
    )
    const turns = [
      async () => {
        const { ms, answer } = await timedGalley(stage, options, ['publish', 'bench', '--target', `t${run}`], keys)
        const { added, steps } = answer as { added: number; steps: readonly Step[] }
        files = added
        ours.push(ms)
        // rclone also does this: it lists the target and uploads.
        const shared = steps.filter(({ name }) => name === 'compare' || name === 'write')
        uploads.push(shared.reduce((sum, step) => sum + step.ms, 0))
        console.log(`  ${steps.map(({ name, ms: stepMs }) => `${name} ${stepMs.toFixed(0)}`).join(', ')} ms`)
      },
      async () => {
        const speed = ['--transfers', String(transfers), '--checkers', String(transfers), '--s3-no-check-bucket']
        // Its S3 library does not start with certificates from the environment.
        const env = { ...process.env, ...keys, RCLONE_CONFIG: '/dev/null', AWS_CA_BUNDLE: undefined }
        theirs.push(await timedProgram(rclone, ['copy', '--quiet', ...speed, out, `${remote}${bucket}/theirs`], env))
      },
    ]
    for (const turn of run % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  console.log(`publish of ${files} files to a bucket, with planning and reading back, ms`)
  console.log(`  galley ${onALine(ours)}`)
  console.log(`  uploads alone ${onALine(uploads)}`)
  console.log(`  rclone ${onALine(theirs)}`)
  return [
    withoutGoal('publish, 1,000 small files: files a second', files / (median(ours) / 1000), '/s'),
    atLeast("publish, 1,000 small files: upload rate against rclone's", median(theirs) / median(uploads), 1, 'x', 2),
    withoutGoal(
      "publish, 1,000 small files: preparing, uploading and reading back, rate against rclone's",
      median(theirs) / median(ours),
      'x',
      2,
    ),
  ]
}
