package io.angarium.dubbo;

import org.apache.dubbo.metadata.ServiceNameMapping;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Creates the service mapping of an application without a folder below the home folder.
 *
 * <p>Dubbo creates {@code ~/.dubbo} for the file cache of this mapping even where the application
 * has switched file caches off, and does not start where it cannot.
 */
final class DubboMapping {
  private static final String FOLDER = "dubbo.mapping.cache.filePath";

  private DubboMapping() {}

  /** Lets Dubbo create it now, with a folder that exists; a folder that the user chose stands. */
  static synchronized void create(ApplicationModel application) {
    if (System.getProperty(FOLDER) != null) {
      return;
    }
    System.setProperty(FOLDER, System.getProperty("java.io.tmpdir"));
    try {
      ServiceNameMapping.getDefaultExtension(application);
    } finally {
      System.clearProperty(FOLDER);
    }
  }
}
