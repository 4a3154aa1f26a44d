import { ExternalLink, X } from 'lucide-react'

import type { MaterialSummary } from '../../../contract/material.ts'
import { texts } from '../../texts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { dayOf, exactTime } from '../../ui/format.ts'
import { useNow } from '../../ui/now.ts'
import type { createMaterials, Opening } from './store.ts'
import styles from './material-header.module.css'

const words = texts.materials

interface Props {
  readonly material: MaterialSummary
  readonly useMaterials: ReturnType<typeof createMaterials>
}

/** What the selected material is, how long its rollback history is kept, and the way into the editor. */
export function MaterialHeader({ material, useMaterials }: Props) {
  const { open, opening, isCreating, dismiss } = useMaterials()
  const isOpening = opening.kind === 'opening' && opening.materialId === material.materialId
  return (
    <>
      <div className={styles.header}>
        <div className={styles.what}>
          <p className={styles.id}>{material.materialId}</p>
          <History material={material} />
        </div>
        <Button
          look="primary"
          icon={ExternalLink}
          aria-disabled={isOpening}
          onClick={() => void open(material.materialId, null)}
        >
          {isOpening ? words.opening : words.open}
        </Button>
      </div>
      {!isCreating && <OpeningNotice opening={opening} dismiss={dismiss} />}
    </>
  )
}

function History({ material: { session } }: Pick<Props, 'material'>) {
  const nowMs = useNow()
  if (session === null) return <p className={styles.history}>{words.neverOpened}</p>
  const isKept = Date.parse(session.keptUntil) > nowMs
  return (
    <p className={styles.history} title={exactTime(session.keptUntil, texts.locale)}>
      {isKept ? words.keptUntil(dayOf(session.keptUntil, texts.locale)) : words.historyOver}
    </p>
  )
}

function OpeningNotice({ opening, dismiss }: { readonly opening: Opening; readonly dismiss: () => void }) {
  if (opening.kind === 'idle' || opening.kind === 'opening') return null
  const close = (
    <Button look="quiet" icon={X} isIconOnly onClick={dismiss}>
      {texts.dismiss}
    </Button>
  )
  if (opening.kind === 'failed') {
    return (
      <Banner tone="danger" text={opening.problem.message}>
        {close}
      </Banner>
    )
  }
  return (
    <Banner
      tone={opening.isShownInBrowser ? 'info' : 'warning'}
      text={opening.isShownInBrowser ? words.opened : words.notShown(opening.url)}
    >
      {close}
    </Banner>
  )
}
