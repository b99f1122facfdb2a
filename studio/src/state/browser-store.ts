// What the browser keeps against a reload: the files by their hashes, and the last review. A browser may keep nothing,
// such as in a private window; then nothing is kept, and the caller hears why.

import type { ReviewData } from './review-data.ts';

const [files, reviews] = ['files', 'reviews'];
const last = 'last';

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('nearfield-studio', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(files);
    request.result.createObjectStore(reviews);
  };
  return result(request);
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let opening: Promise<IDBDatabase> | undefined;

/** Each change is committed at once: the browser completes it even if the page is gone by then. */
async function inStore<T>(
  store: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  opening ??= open();
  const transaction = (await opening).transaction(store, mode);
  const request = work(transaction.objectStore(store));
  transaction.commit();
  return result(request);
}

export const keepFile = (hash: string, file: Blob): Promise<unknown> =>
  inStore(files, 'readwrite', store => store.put(file, hash));

export const keptFile = (hash: string): Promise<Blob | undefined> =>
  inStore(files, 'readonly', store => store.get(hash));

/** Keeps the review, and of the files only those that it has. */
export async function keepReview(review: ReviewData): Promise<void> {
  await inStore(reviews, 'readwrite', store => store.put(review, last));
  const wanted = new Set(
    review.files.flatMap(({ hash, beside }) => [hash, ...beside.map(each => each.hash)]),
  );
  if (review.motion) wanted.add(review.motion.hash);
  for (const hash of await inStore(files, 'readonly', store => store.getAllKeys())) {
    if (!wanted.has(String(hash))) await inStore(files, 'readwrite', store => store.delete(hash));
  }
}

export const keptReview = (): Promise<ReviewData | undefined> =>
  inStore(reviews, 'readonly', store => store.get(last));

export const forgetReview = async (): Promise<void> => {
  await inStore(reviews, 'readwrite', store => store.clear());
  await inStore(files, 'readwrite', store => store.clear());
};
