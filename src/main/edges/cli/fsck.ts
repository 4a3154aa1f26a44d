import type { CheckReport, Finding } from '../../../contract/domain/care-reports.ts'
import { counted } from '../../platform/logging/counted.ts'
import { inMegabytes, runCare } from './care-run.ts'
import type { Command } from './command.ts'
import { flag } from './command.ts'
import { findingSentence } from './finding-words.ts'
import { printable } from './table.ts'

export const fsck: Command = {
  name: 'fsck',
  usage: '[--repair]',
  summary: 'check the library: index, every stored file, leftover files; exit 1 if a problem remains',
  positionals: [],
  options: { repair: { type: 'boolean' } },
  async run(context) {
    const { care } = await context.galley()
    const report = await runCare(context, (run) => care.check({ repair: flag(context, 'repair') }, run))
    return { json: checkJson(report), text: inText(report), exitCode: report.ok ? 0 : 1 }
  },
}

/** The report as specified in docs/api.md, section 2. */
const checkJson = ({ ok, isRepair, files, bytes, findings }: CheckReport) => ({
  ok,
  repair: isRepair,
  files,
  bytes,
  findings: findings.map((finding) => findingJson(finding)),
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

function inText({ ok, isRepair, files, bytes, findings }: CheckReport): string {
  const read = `${counted(files, 'file')}, ${inMegabytes(bytes)} MB read`
  if (findings.length === 0) return `No problems found: ${read}.`
  const lines = findings.map((finding) => printable(`${verdictOf(finding)}  ${findingSentence(finding)}`))
  const remaining = findings.filter(({ fixed }) => !fixed)
  const end = ok
    ? `${counted(findings.length, 'problem')}, ${findings.length === 1 ? 'repaired' : 'all repaired'}.`
    : `${counted(remaining.length, 'problem')} left${!isRepair && remaining.some(({ fixable }) => fixable) ? '; --repair fixes what can be fixed without losing data' : ''}.`
  return [...lines, `${read}. ${end}`].join('\n')
}

const verdictOf = ({ fixable, fixed }: Finding): string => (fixed ? 'fixed' : fixable ? 'found' : 'LOST ')
