import type { FontFace } from '@galley/library/records'
import { useState } from 'react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'

import { Field } from '../../ui/field.tsx'
import { Message } from '../../ui/message.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import styles from './fonts.module.css'
import type { WeightRange } from './loaded-face.ts'
import { lacksCharacters, shownWeights, useLoadedFace, weightRange } from './loaded-face.ts'
import { useStyleWord } from './style-word.ts'

const smallestPx = 12
const largestPx = 96
const defaultWeight = 400

/** Every face of a font set by family, rendered from its stored file with an adjustable text and size. */
export function Specimens({ faces }: { readonly faces: readonly FontFace[] }) {
  const { t } = useTranslation('fonts')
  const [text, setText] = useState('')
  const [sizePx, setSizePx] = useState(28)
  const [weight, setWeight] = useState(defaultWeight)
  if (faces.length === 0) return <Message text={t('specimen.none')} />
  const variable = faces.map((face) => weightRange(face.weight)).filter(({ from, to }) => from < to)
  const families = Map.groupBy(faces, ({ family }) => family)
  return (
    <PaneBody>
      <div className={styles.tryOut}>
        <TextField label={t('specimen.text')} value={text} placeholder={t('specimen.sample')} onChange={setText} />
        <div className={styles.sliders}>
          <Slider
            label={t('specimen.size', { size: sizePx })}
            range={{ from: smallestPx, to: largestPx }}
            value={sizePx}
            onChange={setSizePx}
          />
          {variable.length > 0 && (
            <Slider
              label={t('specimen.weight', { weight })}
              range={{
                from: Math.min(...variable.map(({ from }) => from)),
                to: Math.max(...variable.map(({ to }) => to)),
              }}
              value={weight}
              onChange={setWeight}
            />
          )}
        </div>
      </div>
      {[...families].map(([family, ofFamily]) => (
        <Titled key={family} label={family} title={family}>
          <ul>
            {ofFamily.map((face) => (
              <Specimen key={JSON.stringify(face)} face={face} text={text} sizePx={sizePx} weight={weight} />
            ))}
          </ul>
        </Titled>
      ))}
    </PaneBody>
  )
}

interface SliderProps {
  readonly label: string
  readonly range: WeightRange
  readonly value: number
  readonly onChange: (value: number) => void
}

function Slider({ label, range, value, onChange }: SliderProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          className={styles.slider}
          type="range"
          min={range.from}
          max={range.to}
          value={value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  )
}

interface SpecimenProps {
  readonly face: FontFace
  /** Empty: a sample text that the face covers. */
  readonly text: string
  readonly sizePx: number
  /** The weight for variable faces, limited to their range. */
  readonly weight: number
}

function Specimen({ face, text, sizePx, weight }: SpecimenProps) {
  const { t } = useTranslation('fonts')
  const loaded = useLoadedFace(face)
  const { from, to } = weightRange(face.weight)
  const styleWord = useStyleWord()
  const formats = face.files.flatMap(({ format }) => format ?? [])
  return (
    <li className={styles.face}>
      <p className={words.meta}>
        {[t('specimen.weight', { weight: shownWeights(face.weight) }), styleWord(face.style), ...formats].join(' · ')}
      </p>
      {loaded.kind === 'loaded' ? (
        <Sample
          family={loaded.family}
          text={text}
          style={{
            fontFamily: `"${loaded.family}"`,
            fontSize: `${sizePx}px`,
            fontWeight: Math.min(Math.max(weight, from), to),
            fontStyle: face.style,
          }}
        />
      ) : loaded.kind === 'loading' ? (
        <p className={styles.sample}>&nbsp;</p>
      ) : (
        <p className={styles.absent}>{t(`specimen.${loaded.kind}`)}</p>
      )}
    </li>
  )
}

interface SampleProps {
  /** The family name of the loaded face. */
  readonly family: string
  readonly text: string
  readonly style: CSSProperties
}

/** A text in a face, or else the first sample that the face covers; reports missing characters. */
function Sample({ family, text, style }: SampleProps) {
  const { t } = useTranslation('fonts')
  const samples = [t('specimen.sample'), t('specimen.otherSample')] as const
  const shown = text === '' ? (samples.find((sample) => !lacksCharacters(family, sample)) ?? samples[0]) : text
  return (
    <>
      <p className={styles.sample} style={style}>
        {shown}
      </p>
      {lacksCharacters(family, shown) && <p className={words.meta}>{t('specimen.lacking')}</p>}
    </>
  )
}
