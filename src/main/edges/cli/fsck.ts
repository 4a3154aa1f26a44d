import type { CheckReport, Finding } from '../../../contract/domain/care-reports.ts'
import { counted } from '../../../contract/domain/counted.ts'
import { inMegabytes, runCare } from './care-run.ts'
import type { Command } from './command.ts'
import { flag } from './command.ts'
import { printable } from './table.ts'

export const fsck: Command = {
  name: 'fsck',
  usage: '[--repair]',
  summary:
    'compare the library with itself: index, every byte of every file, left-overs; exit 1 when a problem remains',
  positionals: [],
  options: { repair: { type: 'boolean' } },
  async run(context) {
    const { care } = await context.galley()
    const report = await runCare(context, (run) => care.check({ repair: flag(context, 'repair') }, run))
    return { json: checkJson(report), text: inText(report), exitCode: report.ok ? 0 : 1 }
  },
}

/** The report in the shape of docs/api.md, section 2. */
const checkJson = ({ ok, isRepair, files, bytes, findings }: CheckReport) => ({
  ok,
  repair: isRepair,
  files,
  bytes,
  findings: findings.map(({ kind, detail, file, usedBy, fixable, fixed }) => ({
    kind,
    detail,
    file,
    used_by: usedBy.map(({ site, materialId, versionId, part }) => ({
      site,
      material_id: materialId,
      version_id: versionId,
      part,
    })),
    fixable,
    fixed,
  })),
})

function inText({ ok, isRepair, files, bytes, findings }: CheckReport): string {
  const read = `${counted(files, 'file')}, ${inMegabytes(bytes)} MB read`
  if (findings.length === 0) return `The library is whole: ${read}.`
  const lines = findings.map((finding) => printable(`${verdictOf(finding)}  ${finding.detail}`))
  const remaining = findings.filter(({ fixed }) => !fixed)
  const end = ok
    ? `${counted(findings.length, 'problem')}, ${findings.length === 1 ? 'and it is mended' : 'all of them mended'}.`
    : `${counted(remaining.length, 'problem')} left${!isRepair && remaining.some(({ fixable }) => fixable) ? '; --repair mends what can be mended without losing anything' : ''}.`
  return [...lines, `${read}. ${end}`].join('\n')
}

const verdictOf = ({ fixable, fixed }: Finding): string => (fixed ? 'fixed' : fixable ? 'found' : 'LOST ')
