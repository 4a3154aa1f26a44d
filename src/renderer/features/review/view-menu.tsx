import { SlidersHorizontal } from 'lucide-react'
import { useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { viewportWidths } from '../../../ipc/page-pictures.ts'
import { Button } from '../../ui/button.tsx'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import { Menu } from '../../ui/menu.tsx'
import type { ComparedPage } from './inbox.ts'
import { SourceCompare } from './source-compare.tsx'
import { sources, useDesk } from './store.ts'
import type { PageWidth, Source } from './store.ts'

const widths = ['fit', 'phone', 'tablet', 'desktop'] as const satisfies readonly PageWidth[]

/** How wide the page is, and whether inside the theme of its site; and, for developers, what is compared as it is stored. */
export function ViewMenu() {
  const { t } = useTranslation(['desk', 'review'])
  const { at, width, inTheme, source, showInTheme, setWidth, setSource, setSide } = useDesk()
  const isForDevelopers = useContext(ForDevelopersContext)
  const trigger = (
    <Button look="quiet" icon={SlidersHorizontal} isIconOnly>
      {t('view')}
    </Button>
  )
  const choice = (key: string, label: string, isChecked: boolean, choose: () => void) =>
    ({ kind: 'check', key, label, isChecked, isChoice: true, onChange: choose }) as const
  return (
    <Menu
      align="end"
      trigger={trigger}
      items={[
        choice('theme', t('inTheme.toggle'), inTheme, () => showInTheme(!inTheme)),
        { kind: 'heading', key: 'width', label: t('pageWidth') },
        ...widths.map((key) =>
          choice(
            key,
            key === 'fit' ? t('widths.fit') : t(`widths.${key}`, { width: viewportWidths[key] }),
            key === width,
            () => setWidth(key),
          ),
        ),
        ...(isForDevelopers && at?.before != null
          ? [
              { kind: 'heading', key: 'sources', label: t('forDevelopers') } as const,
              ...sources.map((key) =>
                choice(key, t(`review:sources.${key}`), key === source, () =>
                  key === source ? setSide('now') : setSource(key),
                ),
              ),
            ]
          : []),
      ]}
    />
  )
}

/** A part of both versions as it is stored; retrying reads it again. */
export function Sources({ source, of }: { readonly source: Source; readonly of: ComparedPage }) {
  const [tries, setTries] = useState(0)
  return <SourceCompare key={`${source} ${tries}`} of={of} onRetry={() => setTries(tries + 1)} part={source} />
}
