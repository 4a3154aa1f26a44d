import type { Editor } from '@tiptap/core'

import { textOrNull } from '../page/text-value.ts'
import { setField } from '../prose/set-field.ts'
import { SelectField } from './field.tsx'
import { Swatches } from './swatches.tsx'

interface Props {
  readonly editor: Editor
  readonly families: readonly string[]
}

/** Fonts and background of the page. */
export function PageSettings({ editor, families }: Props) {
  const { attrs } = editor.state.doc
  const fontField = (label: string, field: 'headingFont' | 'textFont') => {
    const font = textOrNull(attrs[field])
    const names = font === null || families.includes(font) ? families : [...families, font]
    return (
      <SelectField
        label={label}
        value={font ?? ''}
        options={[
          { value: '', label: 'Site default' },
          ...names.map((name) => ({
            value: name,
            label: families.includes(name) ? name : `${name} (not a site font)`,
          })),
        ]}
        {...(families.length === 0 && field === 'textFont' && { help: 'This site hasn’t sent its fonts.' })}
        onChoose={(chosen) => setField(editor.view, null, field, chosen === '' ? null : chosen)}
      />
    )
  }
  return (
    <>
      {fontField('Heading font', 'headingFont')}
      {fontField('Body font', 'textFont')}
      <Swatches
        label="Background"
        value={textOrNull(attrs['background'])}
        onChoose={(colour) => setField(editor.view, null, 'background', colour)}
      />
    </>
  )
}
