type Asked = { readonly pageSize: number; readonly pageToken: string };

/** The pages of a list, each as large as auth makes them. */
export async function* pages<Page extends { readonly nextPageToken?: string }>(
  ask: (page: Asked) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let pageToken = ""; ;) {
    const page = await ask({ pageSize: 500, pageToken });
    yield page;
    pageToken = page.nextPageToken ?? "";
    if (pageToken === "") return;
  }
}
