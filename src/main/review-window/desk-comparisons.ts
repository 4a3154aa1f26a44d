import type { IndexReads } from '@galley/library'
import type { CallProblem, VersionRef } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { VersionId } from '@galley/wire'
import { fail } from '@galley/wire'

import type { HandlersOf } from '../../ipc/call.ts'
import type { deskCalls } from '../../ipc/desk.ts'
import type { ReviewJobs } from '../review/jobs.ts'
import type { VersionPages } from '../review/version-pages.ts'

interface ComparisonPorts {
  readonly index: IndexReads
  readonly pages: VersionPages
  readonly background: Background<ReviewJobs>
}

/** The maximum text to compare: more would block the window for seconds. */
const comparedCharsAtMost = 5_000_000

const gone: CallProblem = { code: 'unknown_version' }

/** Calls that compare two versions of a material as they are stored. */
export function comparisonHandlers({
  index,
  pages,
  background,
}: ComparisonPorts): HandlersOf<Pick<typeof deskCalls, 'compareTexts'>> {
  type Of = Omit<VersionRef, 'versionId'>
  const partsOf = ({ site, materialId }: Of, versionId: VersionId) => index.versions.parts(site, materialId, versionId)
  return {
    async compareTexts({ part, before, after, ...of }) {
      const [from, to] = [partsOf(of, before), partsOf(of, after)]
      if (!from || !to) return fail(gone)
      const texts = await background.run('reviewTexts', {
        part,
        before: await pages.stored(from[part]),
        after: await pages.stored(to[part]),
        maxChars: comparedCharsAtMost,
      })
      return texts.ok ? texts : texts
    },
  }
}
