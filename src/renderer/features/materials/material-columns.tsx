import type { MaterialSummary } from '../../../contract/material.ts'
import { texts } from '../../texts.ts'
import { count } from '../../ui/format.ts'
import type { Column } from '../../ui/grid.tsx'
import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { materialStatus } from './material-status.ts'

const words = texts.materials
const tones: Readonly<Record<ReturnType<typeof materialStatus>, Tone>> = {
  unsaved: 'neutral',
  saved: 'success',
  ending: 'warning',
}

/** The columns of the list; the title stays at every width. */
export const materialColumns = (nowMs: number): readonly Column<MaterialSummary>[] => [
  {
    title: words.columns.title,
    cell: ({ title, materialId }) => (title === '' ? materialId : title),
  },
  {
    title: words.columns.id,
    width: 150,
    shownFrom: 'full',
    isMeta: true,
    cell: ({ materialId }) => materialId,
  },
  {
    title: words.columns.status,
    width: 146,
    shownFrom: 'medium',
    cell: (material) => {
      const status = materialStatus(material, nowMs)
      return <Status tone={tones[status]} word={words.status[status]} />
    },
  },
  {
    title: words.columns.versions,
    width: 72,
    shownFrom: 'medium',
    align: 'end',
    cell: ({ versions }) => count(versions, texts.locale),
  },
  {
    title: words.columns.saved,
    width: 144,
    isMeta: true,
    cell: ({ savedAt }) =>
      savedAt === null ? words.neverSaved : <Time iso={savedAt} nowMs={nowMs} locale={texts.locale} />,
  },
]
