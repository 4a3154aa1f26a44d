import { fieldMax } from '@galley/library/records'
import type { SitePublishing } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { PagePicker } from '../../domain/page-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { useDesignForm } from './design-form.ts'
import styles from './design.module.css'
import { menuDraftOf, menuOf, menuProblem, moved } from './menu-draft.ts'
import type { MenuDraft } from './menu-draft.ts'

interface Props {
  readonly site: SiteId
  readonly publishing: SitePublishing
}

/** The menu of the site: one row per item, with buttons to move it. */
export function MenuForm({ site, publishing }: Props) {
  const { t } = useTranslation('design')
  const added = useRef(0)
  const form = useDesignForm('menu', { lines: menuDraftOf(publishing.menu) }, (menu) =>
    menu.lines.every((line) => menuProblem(line) === null)
      ? ok({ menu: menuOf(menu.lines) })
      : fail({ lines: t('wrong.label') }),
  )
  const { lines } = form.draft
  const write = (changed: readonly MenuDraft[]): void => form.edit({ lines: changed })
  const add = (): void => {
    added.current += 1
    const key = `new ${added.current} ${lines.length}`
    write([...lines, { key, label: '', kind: 'material', materialId: null, url: '' }])
  }
  return (
    <FormGroup
      text={t('menu.text')}
      submit={t('save')}
      form={form}
      more={
        <Button icon={Plus} onClick={add}>
          {t('menu.add')}
        </Button>
      }
    >
      {lines.length === 0 && <p className={words.explanation}>{t('menu.none')}</p>}
      <ol className={styles.menu}>
        {lines.map((line, at) => (
          <MenuLine
            key={line.key}
            site={site}
            line={line}
            number={at + 1}
            of={lines.length}
            isJudged={form.isRefused}
            onChange={(change) => write(lines.with(at, { ...line, ...change }))}
            onMove={(step) => write(moved(lines, at, step))}
            onRemove={() => write(lines.toSpliced(at, 1))}
          />
        ))}
      </ol>
    </FormGroup>
  )
}

interface LineProps {
  readonly site: SiteId
  readonly line: MenuDraft
  /** Counted from 1. */
  readonly number: number
  readonly of: number
  readonly isJudged: boolean
  readonly onChange: (change: Partial<MenuDraft>) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

function MenuLine({ site, line, number, of, isJudged, onChange, onMove, onRemove }: LineProps) {
  const { t } = useTranslation('design')
  const [typedLabel, setTypedLabel] = useState(line.label !== '')
  const problem = isJudged ? menuProblem(line) : null
  const named = { name: line.label === '' ? t('menu.entry', { number }) : line.label }
  return (
    <li className={styles.entry} aria-label={t('menu.entry', { number })}>
      <TextField
        label={t('menu.label')}
        error={problem === 'label' ? t('wrong.label') : undefined}
        value={line.label}
        maxLength={fieldMax.menuLabel}
        onChange={(label) => {
          setTypedLabel(true)
          onChange({ label })
        }}
      />
      <SelectField
        label={t('menu.kind')}
        value={line.kind}
        options={(['material', 'url'] as const).map((value) => ({ value, label: t(`menu.kinds.${value}`) }))}
        onChange={(kind) => onChange({ kind })}
      />
      <Field
        label={t(`menu.targets.${line.kind}`)}
        error={problem === 'page' ? t('wrong.page') : problem === 'url' ? t('wrong.menuUrl') : undefined}
      >
        {(control) =>
          line.kind === 'material' ? (
            <PagePicker
              {...control}
              site={site}
              materialId={line.materialId}
              onChange={(materialId, title) => onChange({ materialId, ...(!typedLabel && { label: title }) })}
            />
          ) : (
            <input
              {...control}
              value={line.url}
              spellCheck={false}
              maxLength={fieldMax.url}
              onChange={(event) => onChange({ url: event.target.value })}
            />
          )
        }
      </Field>
      <span className={styles.moves}>
        <Button look="quiet" icon={ArrowUp} isIconOnly aria-disabled={number === 1} onClick={() => onMove(-1)}>
          {t('menu.up', named)}
        </Button>
        <Button look="quiet" icon={ArrowDown} isIconOnly aria-disabled={number === of} onClick={() => onMove(1)}>
          {t('menu.down', named)}
        </Button>
        <Button look="quiet" icon={X} isIconOnly onClick={onRemove}>
          {t('menu.remove', named)}
        </Button>
      </span>
    </li>
  )
}
