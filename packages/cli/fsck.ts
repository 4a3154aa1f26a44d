import type { CheckReport, EntryState, Finding, Touched } from '@galley/library/records'
import { isLeft } from '@galley/library/records'
import { counted } from '@galley/platform'
import { CausedError, cause, causeSentence } from '@galley/wire'

import { inMegabytes, runCare } from './care-run.ts'
import { command } from './command.ts'
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

const entryWords: Record<EntryState, { readonly one: string; readonly many: string }> = {
  damaged: { one: 'is damaged', many: 'are damaged' },
  missing: { one: 'is missing', many: 'are missing' },
  unlinked: { one: 'does not follow the one before it', many: 'do not follow those before them' },
  newer: { one: 'was written by a newer version of Galley', many: 'were written by a newer version of Galley' },
  not_in_index: { one: 'is not in the index', many: 'are not in the index' },
  cut_off: { one: 'is missing at its end', many: 'are missing at its end' },
  contradicting: {
    one: 'contradicts earlier ones: the index has only a part of it',
    many: 'contradict earlier ones: the index has only a part of them',
  },
  missing_in_bucket: { one: 'is missing in the bucket of the team', many: 'are missing in the bucket of the team' },
  damaged_in_bucket: { one: 'is damaged in the bucket of the team', many: 'are damaged in the bucket of the team' },
}

/** The English sentence of a finding, without a full stop. */
function findingSentence({ kind, facts, file, usedBy, fixed }: Finding): string {
  switch (facts.code) {
    case 'table_damaged':
      return facts.verdict
    case 'cause':
      return upperFirst(causeSentence(facts.reason))
    case 'rows_differ':
      return `The table ${facts.table} of the index differs from the log in ${counted(facts.rows, 'row')}`
    case 'index_of_other_log':
      return 'The index does not match its log'
    case 'entries': {
      const { one, many } = entryWords[facts.state]
      const { from, upTo } = facts
      return from === upTo ? `Entry ${from} of the log ${one}` : `Entries ${from} to ${upTo} of the log ${many}`
    }
    case 'skipped':
      return `Entry ${facts.position} of the log ${facts.why === '' ? 'cannot be read, or contradicts earlier ones' : `has a value that Galley cannot use (${facts.why})`}. Every computer skips it, and all other data is complete. The log does not say who wrote it`
    case 'line_ends': {
      const files = counted(facts.segments, 'file')
      return `Another program has changed the line ends in ${files} of the log. No entry is lost. Keep the library out of Git, editors and sync tools`
    }
    case 'search_outdated':
      return 'The full-text index does not match its documents'
    case 'file': {
      const place = facts.inBucket ? ' in the bucket of the team' : ''
      const state = kind === 'file_missing' ? `is missing${place}` : `differs${place} from what was saved`
      const uses = usedBy.length > 0 ? `. It contains ${usedBy.map(inWords).join('; ')}` : ''
      const more = facts.pieces > usedBy.length ? ` and more, ${facts.pieces} pieces in all` : ''
      return `File ${shortHash(file)} ${state}${uses}${more}`
    }
    case 'references': {
      const [owner = ''] = usedBy.map((touched) =>
        inWords(touched.part === 'page' ? { ...touched, part: null } : touched),
      )
      const more = facts.all > facts.names.length ? ` and ${facts.all - facts.names.length} more` : ''
      return `${owner}, refers to files that the library does not have: ${facts.names.join(', ')}${more}`
    }
    case 'file_unused':
      return `File ${shortHash(file)} is not used by any version${fixed ? '; it was moved to lost-and-found' : ''}`
    case 'leftover':
      return `${file ?? 'A file'} in staging does not come from a save; no stored save needs it`
    case 'marker':
      return `library.json ${facts.isMissing ? 'is missing' : 'does not name this library'} in the bucket of the team, so no computer can join`
    case 'checkpoint':
      return `The newest checkpoint in the bucket of the team is ${facts.isMissing ? 'missing' : 'damaged'}, so computers that join take an earlier one, or cannot join`
  }
}

const upperFirst = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`

/** A shortened hash for display. */
const shortHash = (file: string | null): string => `${(file ?? '').slice(0, 12)}…`

function inWords({ materialId, versionId, part, site }: Touched): string {
  const owner = materialId === null ? `the fonts of ${site}` : `${materialId} of ${site}`
  return `${part === null ? '' : `${part} of `}${owner}${versionId === null ? '' : `, version ${versionId}`}`
}

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
