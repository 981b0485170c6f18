package io.angarium.desk;

/** How far to search for the id of a message in tables that have no index for it. */
public enum SearchDepth {
  /** Looks where the time in the id says that the message was written: some hundred rows. */
  LIKELY,
  /** Looks at every row that the budget of a search allows. */
  ALL
}
