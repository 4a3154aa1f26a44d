type Forms = 'one' | 'few' | 'many' | 'other'

/** Russian has four plural forms, English two. */
type TranslatedKey<Key extends string> = Key extends `${infer Base}_other`
  ? `${Base}_${Forms}`
  : Key extends `${string}_one`
    ? never
    : Key

/** The shape of a Russian part: the keys of the English one, with all Russian forms of each plural. */
export type Translated<English> = {
  readonly [Key in keyof English & string as TranslatedKey<Key>]: English[Key] extends string
    ? string
    : Translated<English[Key]>
}
