/** The scheme of stored pages: `galley-review://<random key of one showing>/<id>`. */
export const reviewScheme = 'galley-review'
