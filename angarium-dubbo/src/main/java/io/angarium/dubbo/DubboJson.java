package io.angarium.dubbo;

import org.apache.dubbo.common.utils.JsonUtils;

/**
 * Which JSON library Dubbo uses, chosen where its own search would end in an error.
 *
 * <p>Dubbo looks at four libraries in turn. From Java 24 on, the look at one that is absent throws
 * out of {@link java.util.ServiceLoader#iterator() hasNext}, where Dubbo does not expect it, and
 * the search ends with {@link NoClassDefFoundError}. The library that Dubbo brings along comes
 * first, so a search for that one by name never reaches the others.
 */
final class DubboJson {
  private static final String PREFERRED = "dubbo.json-framework.prefer";
  private static final String BROUGHT_ALONG = "fastjson2";

  private DubboJson() {}

  /** Makes Dubbo choose now, for the whole process; a choice of the user's stands. */
  static synchronized void choose() {
    if (System.getProperty(PREFERRED) != null) {
      return;
    }
    System.setProperty(PREFERRED, BROUGHT_ALONG);
    try {
      JsonUtils.getJson();
    } finally {
      System.clearProperty(PREFERRED);
    }
  }
}
