import type { CheckReport, Finding } from '@galley/library/records'
import { isLeft } from '@galley/library/records'
import { counted } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'

import { inMegabytes, runCare } from './care-run.ts'
import { command } from './command.ts'
import { findingSentence } from './finding-words.ts'
import { flag } from './option.ts'
import { printable } from './table.ts'

export const fsck = command({
  name: 'fsck',
  summary: 'check the library: index, every stored file, leftover files',
  detail: 'It exits with 1 if a problem remains.',
  options: {
    repair: flag('repair what can be repaired without losing data'),
    fetch: flag('also read the files that only the bucket of a team has'),
  },
  examples: ['', '--repair'],
  async run(context, { repair, fetch }) {
    const { care } = await context.galley()
    const report = await runCare(context, (run) => care.check({ repair, fetch }, run))
    // The caller opens the library again, which mends it, and checks again.
    if (report.isRepair && report.findings.some(({ kind }) => kind === 'index_damaged'))
      throw new CausedError(cause('index_damaged'))
    return { json: checkJson(report), text: inText(report), exitCode: report.ok ? 0 : 1 }
  },
})

/** The report as specified in docs/api.md, section 2. */
const checkJson = ({ ok, isRepair, files, bytes, inBucket, findings, interrupted }: CheckReport) => ({
  ok,
  repair: isRepair,
  files,
  bytes,
  ...(inBucket && { bucket: { by_size: inBucket.bySize, fetched: inBucket.fetched } }),
  findings: findings.map((finding) => findingJson(finding)),
  interrupted,
})

const findingJson = (finding: Finding) => {
  const { kind, file, usedBy, fixable, fixed } = finding
  return {
    kind,
    detail: findingSentence(finding),
    file,
    used_by: usedBy.map(({ site, materialId, versionId, part }) => ({
      site,
      material_id: materialId,
      version_id: versionId,
      part,
    })),
    fixable,
    fixed,
  }
}

function inText({ ok, isRepair, files, bytes, inBucket, findings, interrupted }: CheckReport): string {
  const read = `${counted(files, 'file')}, ${inMegabytes(bytes)} MB read${distantText(inBucket)}`
  const unneeded = interrupted.map((file) =>
    printable(`note   ${file} is of an interrupted save or download; no stored save needs it`),
  )
  if (findings.length === 0) return [...unneeded, `No problems found: ${read}.`].join('\n')
  const lines = findings.map((finding) => printable(`${verdictOf(finding)}  ${findingSentence(finding)}`))
  const remaining = findings.filter(isLeft)
  const repaired = findings.filter(({ fixed }) => fixed)
  const end = ok
    ? repaired.length === 0
      ? 'No problems found.'
      : `${counted(repaired.length, 'problem')}, ${repaired.length === 1 ? 'repaired' : 'all repaired'}.`
    : `${counted(remaining.length, 'problem')} left${!isRepair && remaining.some(({ fixable }) => fixable) ? '; --repair fixes what can be fixed without losing data' : ''}.`
  return [...lines, ...unneeded, `${read}. ${end}`].join('\n')
}

/** How the files that only the bucket of a team has were compared. */
function distantText(inBucket: CheckReport['inBucket']): string {
  if (inBucket === undefined) return ''
  const { bySize, fetched } = inBucket
  if (fetched > 0) return `, ${counted(fetched, 'file')} read in the bucket`
  return bySize === 0 ? '' : `, ${counted(bySize, 'file')} in the bucket compared by size (--fetch reads them)`
}

const verdictOf = (finding: Finding): string =>
  finding.fixed ? 'fixed' : finding.fixable ? 'found' : isLeft(finding) ? 'LOST ' : 'note '
