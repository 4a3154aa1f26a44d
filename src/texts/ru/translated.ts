type Forms = 'one' | 'few' | 'many' | 'other'

/** A plural of two English forms is one of four in Russian. */
type TranslatedKey<Key extends string> = Key extends `${infer Base}_other`
  ? `${Base}_${Forms}`
  : Key extends `${string}_one`
    ? never
    : Key

/** The shape of a Russian part: the keys of the English one, each plural with all of its Russian forms. */
export type Translated<English> = {
  readonly [Key in keyof English & string as TranslatedKey<Key>]: English[Key] extends string
    ? string
    : Translated<English[Key]>
}
