ALTER TABLE pets
  ADD COLUMN kind ENUM('dog', 'cat') NOT NULL DEFAULT 'dog' AFTER id,
  CHANGE COLUMN name full_name VARCHAR(100) NOT NULL DEFAULT '',
  DROP COLUMN born,
  ADD UNIQUE INDEX one_name (owner_id, full_name);
ALTER TABLE pets DROP FOREIGN KEY fk_owner;
ALTER TABLE pets ADD CONSTRAINT fk_owner_2 FOREIGN KEY (owner_id) REFERENCES owners (id) ON DELETE SET NULL;
