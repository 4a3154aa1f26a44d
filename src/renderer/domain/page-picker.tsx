import type { MaterialId, SiteId } from '@galley/wire'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../bridge/use-bridge.ts'
import { Combobox } from '../ui/combobox.tsx'
import type { Suggestion } from '../ui/combobox.tsx'
import type { ControlProps } from '../ui/field.tsx'
import { titleOf } from './material-title.ts'

interface Props extends ControlProps {
  readonly site: SiteId
  /** null: none is chosen yet. */
  readonly materialId: MaterialId | null
  readonly onChange: (materialId: MaterialId, title: string) => void
}

/** More than these are found by typing. */
const shownAtMost = 20

/** One of a site's pages, found by its title, id or address. */
export function PagePicker({ site, materialId, onChange, ...control }: Props) {
  const bridge = useBridge()
  const { t } = useTranslation('design')
  const [found, setFound] = useState<readonly Suggestion[]>([])
  const [chosen, setChosen] = useState<Suggestion | null>(null)
  const asked = useRef(0)
  const search = useCallback(
    async (text: string): Promise<void> => {
      asked.current += 1
      const question = asked.current
      const filter = { site, state: null, type: null, text: text.trim() }
      const query = { ...filter, sort: { by: 'saved', direction: 'down' }, offset: 0, limit: shownAtMost } as const
      // Nothing is offered when the pages cannot be read, which main has logged.
      const { rows } = await bridge.call('pagesOfSite', query).catch(() => ({ rows: [] }))
      if (question !== asked.current) return
      setFound(rows.map((row) => ({ key: row.materialId, label: titleOf(row), detail: row.materialId })))
    },
    [bridge, site],
  )
  useEffect(() => {
    if (materialId === null) return
    void bridge.call('findMaterial', { site, materialId }).then(
      (material) =>
        setChosen({ key: materialId, label: material === null ? materialId : titleOf(material), detail: materialId }),
      () => setChosen({ key: materialId, label: materialId, detail: materialId }),
    )
  }, [bridge, site, materialId])
  return (
    <Combobox
      {...control}
      placeholder={t('picker.placeholder')}
      value={materialId !== null && chosen?.key === materialId ? chosen : null}
      suggestions={found}
      empty={t('picker.empty')}
      onType={(text) => void search(text)}
      onChange={(key) => onChange(key, found.find((each) => each.key === key)?.label ?? key)}
    />
  )
}
