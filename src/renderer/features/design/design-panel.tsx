import type { SitePublishing } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { ThemeView } from '../../../ipc/themes.ts'
import { FailedRead } from '../../domain/means.tsx'
import { Field } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { Sections } from '../../ui/sections.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useDesignForm } from './design-form.ts'
import styles from './design.module.css'
import { MenuForm } from './menu-form.tsx'
import { SiteForm } from './site-form.tsx'
import { useDesign } from './store.ts'
import { ThemeGallery } from './theme-gallery.tsx'
import { ThemeSettings } from './theme-settings.tsx'

/** Custom markup for all pages of the site. */
function CodeForm({ publishing }: { readonly publishing: SitePublishing }) {
  const { t } = useTranslation('design')
  const { headSnippet, bodySnippet } = publishing
  const form = useDesignForm('code', { headSnippet, bodySnippet }, ok)
  return (
    <FormGroup text={t('code.text')} submit={t('save')} form={form}>
      {(['headSnippet', 'bodySnippet'] as const).map((key) => (
        <Field key={key} label={t(`code.${key}`)}>
          {(control) => (
            <textarea
              {...control}
              rows={8}
              wrap="off"
              spellCheck={false}
              maxLength={100_000}
              value={form.draft[key]}
              className={`${control.className ?? ''} ${styles.code}`}
              onChange={(event) => form.edit({ [key]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </FormGroup>
  )
}

const sections = ['theme', 'site', 'menu', 'code'] as const
type DesignSection = (typeof sections)[number]

interface Props {
  /** The visible section; null: the first. */
  readonly chosen: string | null
  readonly onChoose: (section: string) => void
}

/** Theme and site settings, one section at a time. */
export function DesignPanel({ chosen, onChoose }: Props) {
  const { t } = useTranslation('design')
  const section = sections.find((name) => name === chosen) ?? 'theme'
  const loadThemes = useDesign((state) => state.loadThemes)
  useEffect(() => {
    // Theme authors return from another program.
    const read = (): void => void loadThemes()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [loadThemes])
  return (
    <Sections
      label={t('title')}
      names={sections}
      chosen={section}
      titleOf={(name) => t(`sections.${name}`)}
      onChoose={onChoose}
    >
      <SectionBody section={section} />
    </Sections>
  )
}

function SectionBody({ section }: { readonly section: DesignSection }) {
  const { t } = useTranslation('design')
  const { site, publishing, themes, load, loadThemes } = useDesign()
  const failed = [publishing, ...(section === 'theme' ? [themes] : [])].find(({ kind }) => kind === 'failed')
  if (failed?.kind === 'failed') {
    const retry = () => void Promise.all([load(), loadThemes()])
    return <FailedRead problem={failed.problem} text={t('failed')} onRetry={retry} />
  }
  if (site === null || publishing.kind !== 'ready' || (section === 'theme' && themes.kind !== 'ready')) {
    return <Skeleton rows={5} />
  }
  const { items } = publishing
  const of = { site, publishing: items }
  switch (section) {
    case 'theme':
      return <ThemeSection publishing={items} themes={themes.kind === 'ready' ? themes.items : []} />
    case 'site':
      return <SiteForm key={site} {...of} />
    case 'menu':
      return <MenuForm key={site} {...of} />
    case 'code':
      return <CodeForm key={site} publishing={items} />
  }
}

function ThemeSection({
  publishing,
  themes,
}: {
  readonly publishing: SitePublishing
  readonly themes: readonly ThemeView[]
}) {
  const current = themes.find(({ theme }) => theme === publishing.theme)
  return (
    <>
      <ThemeGallery themes={themes} chosen={publishing.theme} />
      {current !== undefined && current.settings.length > 0 && (
        <ThemeSettings key={current.theme} settings={current.settings} publishing={publishing} />
      )}
    </>
  )
}
