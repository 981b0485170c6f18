package io.angarium.http.half;

/**
 * The codes of the problems (RFC 9457) that a server of half messages answers: the field {@code
 * code}. Besides these, single calls are answered the names of {@link io.angarium.half.Refusal}.
 */
public final class HalfProblem {
  /** 400, 422: the request is wrong; nothing took effect. */
  public static final String INVALID = "INVALID";

  /** 413: more than a limit allows; nothing took effect. */
  public static final String TOO_LARGE = "TOO_LARGE";

  /** 404: no such address; nothing took effect. */
  public static final String NOT_FOUND = "NOT_FOUND";

  /** 405: the address has other methods; nothing took effect. */
  public static final String METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED";

  /** 406: the caller does not accept JSON; nothing took effect. */
  public static final String NOT_ACCEPTABLE = "NOT_ACCEPTABLE";

  /** 415: the body has a type that is none, or not the one of the call; nothing took effect. */
  public static final String UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE";

  /** 500: it failed in a way nobody expected; whether it took effect is unknown. */
  public static final String FAILED = "FAILED";

  /** 408: the request was not there in time; nothing took effect. */
  public static final String TOO_SLOW = "TOO_SLOW";

  /** 401: no API key or token, or one that the server refuses; nothing took effect. */
  public static final String UNAUTHENTICATED = "UNAUTHENTICATED";

  /** 403: the API key or token does not allow it; nothing took effect. */
  public static final String NOT_PERMITTED = "NOT_PERMITTED";

  /** 429: above the rate of the caller; nothing took effect. */
  public static final String TOO_MANY = "TOO_MANY";

  /** 503: the server has as much to do as it takes at a time; nothing took effect. */
  public static final String BUSY = "BUSY";

  /** 503: the issuer of the token cannot be asked for its keys; nothing took effect. */
  public static final String ISSUER_AWAY = "ISSUER_AWAY";

  /** 503: the database cannot be reached; whether it took effect is unknown. */
  public static final String DATABASE_AWAY = "DATABASE_AWAY";

  /**
   * 503: the database refused, e.g. as another transaction holds the key; whether it took effect is
   * unknown. Calls that were refused together may be taken one by one.
   */
  public static final String STORE_FAILED = "STORE_FAILED";

  private HalfProblem() {}
}
